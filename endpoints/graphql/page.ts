import { inlinePage } from '../http/static-file.js';

/** A page to try mutations. */
export const graphqlPage = () => inlinePage(new URL('./page/', import.meta.url), 'img-src data:');
