import { register } from 'node:module';

// In a thread of its own, which loads no module of ours but this one.
register(new URL('resolve-on-modules.js', import.meta.url));
