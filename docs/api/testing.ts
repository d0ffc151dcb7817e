/**
 * What tests of an application use.
 *
 * @module svc-runtime/testing
 */
export * from '../../dist/actors/testing/index.js';
