import { Problem } from '../../contracts/problems.js';
import type { ArchiveFiles } from '../../runtime/archive/archive-files.js';
import { folderFiles } from '../../runtime/archive/folder-files.js';
import { s3Files } from '../../runtime/archive/s3-files.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where archives are: a folder, or `s3://bucket/prefix` with the credentials of the environment. */
export function filesAt(location: string | undefined, env: Environment = process.env): ArchiveFiles {
  if (location === undefined)
    throw new Problem('usage', {
      detail: 'Give the place of the archive: --to FOLDER or --to s3://BUCKET/PREFIX.',
    });
  if (!location.startsWith('s3:')) return folderFiles(location);
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*)?\/?)?$/.exec(location) ?? [];
  if (bucket === undefined)
    throw new Problem('usage', {
      detail:
        'A bucket is given as s3://BUCKET/PREFIX, with letters, digits, dots, hyphens and underscores in the prefix.',
    });
  const region = env['AWS_REGION'] || 'us-east-1';
  const accessKeyId = env['AWS_ACCESS_KEY_ID'] || undefined;
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'] || undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Problem('invalid-setup', {
      detail: `${location} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    });
  const endpoint = endpointIn(env['AWS_ENDPOINT_URL_S3'] || `https://s3.${region}.amazonaws.com`);
  return s3Files({
    bucket,
    prefix,
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'] || undefined,
  });
}

function endpointIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '')
    return url;
  throw new Problem('invalid-setup', {
    detail: 'AWS_ENDPOINT_URL_S3 must be a URL such as https://s3.example.com.',
  });
}
