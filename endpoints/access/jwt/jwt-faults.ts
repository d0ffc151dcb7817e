import { errors } from 'jose';

/** What is wrong with a token, for the log. The errors of jose hold the claims, which must not reach it. */
export function jwtFaultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) return claimFaultOf(error);
  return faults[error.code] ?? error.code;
}

const faults: Readonly<Record<string, string>> = {
  [errors.JOSEAlgNotAllowed.code]: 'The token is signed with an algorithm that this host does not accept.',
  [errors.JWSInvalid.code]: 'The token is not a JWT.',
  [errors.JWTInvalid.code]: 'The token is not a JWT.',
  [errors.JWSSignatureVerificationFailed.code]: 'The signature of the token is wrong.',
  [errors.JWKSNoMatchingKey.code]: 'The key set has no key for the token.',
  [errors.JWKSMultipleMatchingKeys.code]: 'The token does not say which key of the key set signed it.',
};

/** The settings that the claim is compared with. */
const settings: Readonly<Record<string, string>> = {
  iss: 'SVC_JWT_ISSUER',
  aud: 'SVC_JWT_AUDIENCE',
};

function claimFaultOf({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `The token has no claim ${claim}.`;
  const setting = settings[claim];
  return setting === undefined
    ? `The claim ${claim} of the token is not accepted.`
    : `The claim ${claim} of the token is not that of ${setting}.`;
}
