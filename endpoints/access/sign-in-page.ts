import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../contracts/problems.js';
import { inlinePage } from '../http/static-file.js';

/** Answers a browser that may not see a page with a form; once signed in, it loads the page again. */
export function sendSignIn({ url }: FastifyRequest, reply: FastifyReply, { status, detail }: Problem): void {
  page ??= readPage();
  const { text, headers } = page;
  const message = status === 401 ? '' : (detail ?? '');
  reply
    .headers({ ...headers, 'www-authenticate': 'Bearer' })
    .code(status)
    .send(
      text
        .replace('data-session=""', `data-session="${sessionFrom(url)}"`)
        .replace('{message}', () => escaped(message)),
    );
}

let page: ReturnType<typeof readPage> | undefined;

const readPage = () => inlinePage(new URL('./sign-in/', import.meta.url), 'img-src data:');

/** Relative to the page, for a proxy with a prefix. */
function sessionFrom(url: string): string {
  const depth = (url.split('?', 1)[0] ?? '').split('/').length - 2;
  return `${'../'.repeat(Math.max(0, depth))}console/session`;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
