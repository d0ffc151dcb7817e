/**
 * What tests of an application use.
 *
 * @module svc-runtime/testing
 */
export * from '../../dist/runtime/testing/index.js';
