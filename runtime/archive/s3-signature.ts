import { createHash, createHmac } from 'node:crypto';

export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

interface S3Request {
  readonly method: string;
  /** Of characters that need no encoding. */
  readonly path: string;
  /** Of the body. */
  readonly sha256: string;
  readonly at: Date;
  /** The host among them; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers of a request with AWS Signature Version 4; all of them are signed. */
export function signedHeaders(
  { method, path, sha256, at, headers }: S3Request,
  { region, accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const all = {
    ...headers,
    'x-amz-content-sha256': sha256,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const sorted = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => name).join(';');
  const lines = sorted.map(([name, value]) => `${name}:${value}`);
  const scope = `${day}/${region}/s3/aws4_request`;
  const request = [method, path, '', ...lines, '', names, sha256].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join(
    '\n',
  );
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
