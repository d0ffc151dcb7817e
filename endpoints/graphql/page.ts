import { hash } from 'node:crypto';
import { builtFile, contentPolicy, mediaTypes, pageHeaders } from '../http/static-file.js';

/** A page to try mutations: one response that contains its script and style, and loads nothing else. */
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
