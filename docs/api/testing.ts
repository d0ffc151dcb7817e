/**
 * What tests of an application use.
 *
 * @module svc-runtime/testing
 */
export * from '../../dist/actors/kit/index.js';
