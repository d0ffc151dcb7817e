/**
 * What applications and generated code use.
 *
 * @module svc-runtime
 */
export * from '../../dist/index.js';
