/**
 * Types of a service definition.
 *
 * @module svc-runtime/endpoints
 */
export type { SmokeTest } from '../../dist/endpoints/index.js';
