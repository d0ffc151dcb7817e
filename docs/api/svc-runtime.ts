/**
 * What applications use.
 *
 * @module svc-runtime
 */
export * from '../../dist/index.js';
