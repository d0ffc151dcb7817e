import type { ServiceModel } from '../model.js';
import { CodecScope } from './codec-scope.js';
import { decoderOf } from './decoder.js';
import { encoderOf, resultEncoder } from './encoder.js';
import { banner } from './imports.js';
import { bodyNames, namedType, reach, reachedByBodies, reachedByResults } from './reach.js';
import { redactedTypes, redactorOf, sensitiveTypes } from './redact.js';

/** The text of `generated/codecs.ts`: `decodeX` for bodies, `encodeX` for results, `redactX` for audits. */
export function emitCodecs(model: ServiceModel): string {
  const scope = new CodecScope(model, new Set(reachedByBodies(model)));
  const functions = [...decoders(scope), ...encoders(scope), ...redactors(scope)];
  if (functions.length === 0) return `${banner}export {};\n`;
  const lines = [...scope.top(), ...functions.flatMap((text) => ['', ...text])];
  return `${banner}${lines.join('\n')}\n`;
}

function decoders(scope: CodecScope): string[][] {
  const { model } = scope;
  const bodies = new Set(bodyNames(model));
  return reachedByBodies(model).map((name) => decoderOf(scope, namedType(model, name), bodies.has(name)));
}

function encoders(scope: CodecScope): string[][] {
  const { model } = scope;
  const results = new Map(
    model.commands.flatMap(({ result, resultName }) =>
      result === null ? [] : [[resultName, result] as const],
    ),
  );
  const unnamed = [...results].filter(([name, result]) => result.kind !== 'ref' || result.name !== name);
  return [
    ...reachedByResults(model).map((name) => encoderOf(scope, namedType(model, name), results.has(name))),
    ...unnamed.map(([name, result]) => resultEncoder(scope, name, result)),
  ].filter((lines) => lines.length > 0);
}

function redactors(scope: CodecScope): string[][] {
  const { model } = scope;
  const messages = redactedTypes(model);
  const sensitive = sensitiveTypes(model);
  return reach(model, messages)
    .filter((name) => sensitive.has(name))
    .map((name) => redactorOf(scope, namedType(model, name), sensitive, messages.includes(name)));
}
