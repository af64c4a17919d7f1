/** A SageMaker real-time endpoint for one of the containers in infra/endpoints. */
import { Aws } from "aws-cdk-lib";
import type { DockerImageAsset } from "aws-cdk-lib/aws-ecr-assets";
import { Grant, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnEndpoint, CfnEndpointConfig, CfnModel } from "aws-cdk-lib/aws-sagemaker";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";

const logGroups = "log-group:/aws/sagemaker/Endpoints/*";

export interface ModelEndpointProps {
  readonly image: DockerImageAsset;
  readonly instanceType: string;
  readonly instances: number;
}

export class ModelEndpoint extends Construct {
  readonly name: string;
  readonly arn: string;
  /** Hash of the container's files. */
  readonly version: string;

  constructor(scope: Construct, id: string, { image, instanceType, instances }: ModelEndpointProps) {
    super(scope, id);
    const role = endpointRole(this, image);
    const model = new CfnModel(this, "Model", {
      executionRoleArn: role.roleArn,
      primaryContainer: { image: image.imageUri },
    });
    // SageMaker pulls the image while it creates the model: the right to do so must stand by then.
    model.node.addDependency(role);
    const endpointConfig = new CfnEndpointConfig(this, "Config", {
      productionVariants: [
        {
          variantName: "AllTraffic",
          modelName: model.attrModelName,
          initialVariantWeight: 1,
          initialInstanceCount: instances,
          instanceType,
        },
      ],
    });
    const endpoint = new CfnEndpoint(this, "Endpoint", {
      endpointConfigName: endpointConfig.attrEndpointConfigName,
    });
    this.name = endpoint.attrEndpointName;
    this.arn = endpoint.ref;
    this.version = image.assetHash;
  }
}

/** May pull this image and write this service's logs. */
const endpointRole = (scope: Construct, image: DockerImageAsset): Role => {
  const role = new Role(scope, "Role", { assumedBy: new ServicePrincipal("sagemaker.amazonaws.com") });
  image.repository.grantPull(role);
  Grant.addToPrincipal({
    grantee: role,
    actions: ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogStreams"],
    resourceArns: [`arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:${logGroups}`],
  });
  acknowledge(
    role,
    "AwsSolutions-IAM5[Resource::*]",
    "2026-11-29",
    "ecr:GetAuthorizationToken knows no resource; what may be pulled is one repository",
  );
  acknowledge(
    role,
    `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:${logGroups}]`,
    "2026-11-29",
    "SageMaker names the log group after the endpoint, whose name is generated",
  );
  return role;
};
