import { inlinePage } from '../http/inline-page.js';

/** A page to try mutations. */
export const graphqlPage = () => inlinePage(new URL('./page/', import.meta.url), 'img-src data:');
