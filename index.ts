export * from './contracts/index.js';
export * from './endpoints/index.js';
