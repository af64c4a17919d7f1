/** What the code of a connection error means, whatever was to be sent; used by the adapters of model endpoints. */

export type ConnectionFault =
  /** No connection came about: nobody listens, no such host, no trust. It would not for any other call either. */
  | "unusable"
  /** It was cut while in use, by the other side or on the way. */
  | "cut"
  /** It stood, and nothing came. */
  | "slow";

const faults: Readonly<Record<string, ConnectionFault>> = {
  ECONNREFUSED: "unusable",
  ENOTFOUND: "unusable",
  EAI_AGAIN: "unusable",
  EHOSTUNREACH: "unusable",
  EHOSTDOWN: "unusable",
  ENETUNREACH: "unusable",
  ENETDOWN: "unusable",
  UND_ERR_CONNECT_TIMEOUT: "unusable",
  CERT_HAS_EXPIRED: "unusable",
  CERT_NOT_YET_VALID: "unusable",
  DEPTH_ZERO_SELF_SIGNED_CERT: "unusable",
  SELF_SIGNED_CERT_IN_CHAIN: "unusable",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unusable",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unusable",
  ERR_TLS_CERT_ALTNAME_INVALID: "unusable",
  ECONNRESET: "cut",
  ECONNABORTED: "cut",
  EPIPE: "cut",
  UND_ERR_SOCKET: "cut",
  HPE_INVALID_CONSTANT: "cut",
  UND_ERR_HEADERS_TIMEOUT: "slow",
  UND_ERR_BODY_TIMEOUT: "slow",
  ETIMEDOUT: "slow",
};

/** Null for a code that says nothing of a connection. */
export const connectionFault = (code: string): ConnectionFault | null => faults[code] ?? null;
