import { hash } from 'node:crypto';
import { builtFile, contentPolicy, mediaTypes, pageHeaders } from './static-file.js';

/** A page of a folder as one response: it contains its script and style, and may load only what `sources` add. */
export function inlinePage(folder: URL, ...sources: readonly string[]) {
  const built = (name: string): string => builtFile(new URL(name, folder)).toString();
  const script = built('script.js');
  const style = built('style.css');
  const policy = contentPolicy(
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
    ...sources,
  );
  return {
    text: built('index.html')
      .replace('</style>', () => `${style}</style>`)
      .replace('</script>', () => `${script}</script>`),
    headers: { 'content-type': mediaTypes.html, 'cache-control': 'no-store', ...pageHeaders(policy) },
  } as const;
}

/** A page of a folder without a script: it contains its style, and loads nothing. */
export function inlineStyle(folder: URL) {
  const style = builtFile(new URL('style.css', folder)).toString();
  const page = builtFile(new URL('index.html', folder)).toString();
  return {
    html: page.replace('</style>', () => `${style}</style>`),
    policy: contentPolicy("default-src 'none'", `style-src ${sourceOf(style)}`, 'img-src data:'),
  } as const;
}

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
