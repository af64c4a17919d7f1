/** The pseudo parameters (`AWS::Region` and the like) of an embedded stack. */

export interface PseudoParameters {
  readonly region: string;
  readonly account: string;
  readonly stackName: string;
}

/** Value of the pseudo parameter `name`; throws when it is not one of those simulated. */
export function pseudoValue(name: string, pseudo: PseudoParameters): string {
  switch (name) {
    case "AWS::Region":
      return pseudo.region;
    case "AWS::AccountId":
      return pseudo.account;
    case "AWS::StackName":
      return pseudo.stackName;
    case "AWS::StackId":
      return `arn:aws:cloudformation:${pseudo.region}:${pseudo.account}:stack/${pseudo.stackName}/embedded`;
    case "AWS::Partition":
      return "aws";
    case "AWS::URLSuffix":
      return "amazonaws.com";
    default:
      throw new Error(`pseudo parameter ${name} is not simulated: add it to infra/local/assembly/pseudo.ts`);
  }
}
