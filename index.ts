export * from './actors/index.js';
export * from './contracts/index.js';
export * from './endpoints/index.js';
export * from './runtime/index.js';
