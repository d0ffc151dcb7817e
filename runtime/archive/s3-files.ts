import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { sha256 } from '../lang/sha256.js';
import type { ArchiveFiles } from './archive-files.js';
import { type S3Credentials, signedHeaders } from './s3-signature.js';

interface S3Bucket extends S3Credentials {
  readonly bucket: string;
  /** In front of all names; without slashes at its ends, or empty. */
  readonly prefix: string;
  /** Of a server that speaks S3; the bucket becomes the first part of the path. */
  readonly endpoint: URL;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** A server that stops sending is not waited for. */
const silentMs = 60_000;
/** One byte a minute would never be silent. */
const longestMs = 900_000;
const maxTries = 5;
const maxErrorBytes = 65_536;

/** A bucket of an S3-compatible store. */
export function s3Files(bucket: S3Bucket): ArchiveFiles {
  const location = `s3://${bucket.bucket}${bucket.prefix === '' ? '' : `/${bucket.prefix}`}`;
  return {
    location,
    put: async (name, bytes) => {
      const { status, body } = await retried(location, () => ask(bucket, 'PUT', name, bytes, 0));
      if (status !== 200) throw refused(location, status, body);
    },
    get: async (name, maxBytes) => {
      const { status, body } = await retried(location, () => ask(bucket, 'GET', name, undefined, maxBytes));
      if (status === 404) return undefined;
      if (status !== 200) throw refused(location, status, body);
      return body;
    },
  };
}

/** A busy server, and a connection that is lost: each request may be sent again. */
async function retried(location: string, send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const last = tries === maxTries;
    try {
      const answer = await send();
      if (answer.status < 500 || last) return answer;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (last) throw unreached(location, error as NodeJS.ErrnoException);
    }
    await delay(100 * 2 ** tries);
  }
}

function ask(
  bucket: S3Bucket,
  method: 'GET' | 'PUT',
  name: string,
  body: Buffer | undefined,
  maxBytes: number,
): Promise<Answer> {
  const { endpoint, prefix } = bucket;
  const path = [
    endpoint.pathname.replace(/\/+$/, ''),
    bucket.bucket,
    ...(prefix === '' ? [] : [prefix]),
    name,
  ].join('/');
  const digest = sha256(body ?? '').toString('hex');
  const given = { host: endpoint.host, ...(body !== undefined && { 'content-length': String(body.length) }) };
  const headers = signedHeaders({ method, path, sha256: digest, at: new Date(), headers: given }, bucket);
  const send = endpoint.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(
      {
        method,
        hostname: endpoint.hostname,
        port: endpoint.port,
        path,
        headers,
        timeout: silentMs,
        signal: AbortSignal.timeout(longestMs),
      },
      (response) => {
        read(response, isExpected(response) ? maxBytes : maxErrorBytes).then((answer) => {
          if (answer.isWhole || !isExpected(response)) return resolve(answer);
          const detail = `${name} has more than the ${maxBytes} bytes that are expected.`;
          reject(new Problem('archive-altered', { detail }));
        }, reject);
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', reject);
    sent.end(body);
  });
}

const isExpected = ({ statusCode }: IncomingMessage): boolean => statusCode === 200;

/** The answer, or as much of it as may be read: it may have no end. */
async function read(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Answer & { readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) break;
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks), isWhole: size <= maxBytes };
}

/** Not as its cause: on the command line, a refused connection is that of the database. */
const unreached = (
  location: string,
  { code = 'no answer' }: { readonly code?: string | undefined },
): Problem =>
  new Problem('invalid-setup', { detail: `${location} cannot be reached (${code}); try again later.` });

/** The body of an error is XML: only its code is shown. */
function refused(location: string, status: number, body: Buffer): Problem {
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.subarray(0, 4_096).toString())?.[1];
  return new Problem('invalid-setup', {
    detail: `${location} refuses the request with ${status}${code === undefined ? '' : ` ${code}`}: check the bucket, AWS_REGION and the credentials.`,
  });
}
