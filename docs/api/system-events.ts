/**
 * The events that the runtime records about itself, and what records and verifies them.
 *
 * @module svc-runtime/system-events
 */
export * from '../../dist/actors/system-events/index.js';
