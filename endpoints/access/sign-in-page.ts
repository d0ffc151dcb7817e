import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../contracts/problems.js';
import { builtFile, contentPolicy, mediaTypes, pageHeaders } from '../http/static-file.js';

/** Answers a browser that may not see a page with a form; once signed in, it loads the page again. */
export function sendSignIn({ url }: FastifyRequest, reply: FastifyReply, { status, detail }: Problem): void {
  page ??= readPage();
  const { text, headers } = page;
  const message = status === 401 ? '' : (detail ?? '');
  reply
    .headers(headers)
    .code(status)
    .send(
      text
        .replace('data-session=""', `data-session="${sessionFrom(url)}"`)
        .replace('{message}', () => escaped(message)),
    );
}

let page: ReturnType<typeof readPage> | undefined;

/** One response that contains its script and style, and loads nothing else. */
function readPage() {
  const script = built('script.js');
  const style = built('style.css');
  const policy = contentPolicy(
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
  );
  return {
    text: built('index.html')
      .replace('</style>', () => `${style}</style>`)
      .replace('</script>', () => `${script}</script>`),
    headers: {
      'content-type': mediaTypes.html,
      'cache-control': 'no-store',
      'www-authenticate': 'Bearer',
      ...pageHeaders(policy),
    },
  } as const;
}

/** Relative to the page, for a proxy with a prefix. */
function sessionFrom(url: string): string {
  const depth = (url.split('?', 1)[0] ?? '').split('/').length - 2;
  return `${'../'.repeat(Math.max(0, depth))}console/session`;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const built = (name: string): string => builtFile(new URL(`./sign-in/${name}`, import.meta.url)).toString();

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
