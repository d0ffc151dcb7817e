/** A URL for logs and answers: without the values of parameters that are named like credentials, such as `?t=`. */
export const withoutToken = (url: string): string =>
  url.includes('?')
    ? url.replaceAll(parameter, (whole, before: string, name: string) =>
        isCredential(name) ? `${before}${name}=[redacted]` : whole,
      )
    : url;

const parameter = /([?&])([^=&#]*)=[^&#]*/g;

const isCredential = (name: string): boolean => credential.test(decoded(name));

const credential = /(?:^t|token|key|secret|password|auth|authorization)$/i;

/** The name of a parameter may be percent-encoded. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
