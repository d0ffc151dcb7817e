import { hash } from 'node:crypto';
import { builtFile, contentPolicy, mediaTypes, pageHeaders } from '../http/static-file.js';

/** A place to try mutations: one answer with its script and style in it, nothing from elsewhere. */
export function graphqlPage() {
  const script = built('script.js');
  const style = built('style.css');
  const policy = contentPolicy(
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
  );
  return {
    text: built('index.html')
      .replace('</style>', () => `${style}</style>`)
      .replace('</script>', () => `${script}</script>`),
    headers: { 'content-type': mediaTypes.html, ...pageHeaders(policy), 'cache-control': 'no-store' },
  } as const;
}

const built = (name: string): string => builtFile(new URL(`./page/${name}`, import.meta.url)).toString();

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
