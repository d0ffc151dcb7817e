import { builtFile, mediaTypes, type StaticFile } from '../../../endpoints/http/static-file.js';

/** The built page. */
export const consoleFiles = (): readonly StaticFile[] => [
  { path: '/console', type: mediaTypes.html, content: built('index.html') },
  { path: '/console/app.js', type: mediaTypes.script, content: built('app.js') },
  { path: '/console/style.css', type: mediaTypes.style, content: built('style.css') },
];

const built = (name: string): Buffer => builtFile(new URL(`../page/${name}`, import.meta.url));
