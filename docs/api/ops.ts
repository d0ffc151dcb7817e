/**
 * Starts a host from code: for tests of a whole service, and for programs that embed one.
 *
 * @module svc-runtime/ops
 */
export * from '../../dist/ops/index.js';
