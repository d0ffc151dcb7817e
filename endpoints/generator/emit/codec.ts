import type { ServiceModel } from '../model/service-model.js';
import { CodecScope } from './codec-scope.js';
import { functionText } from './codec-function.js';
import { decoderOf } from './decoder.js';
import { encoderOf, resultEncoder } from './encoder.js';
import { banner } from './imports.js';
import { Memo } from '../model/memo.js';
import { answering, decodedNames, namedType, reachableTypes, resultTypes } from '../model/reachable-types.js';
import { redactedTypes, redactorOf, sensitiveTypes } from './redactor.js';

/** The text of `generated/codecs.ts`: `decodeX` for bodies and what effects are asked to do, `encodeX` for results, `redactX` for audits. */
export function emitCodecs(model: ServiceModel, memo: Memo = new Memo()): string {
  const reached = reachableTypes(model, decodedNames(model));
  const scope = new CodecScope(model, new Set(reached));
  const functions = [
    ...decoders(model, reached, scope, memo),
    ...encoders(model, scope, memo),
    ...redactors(model, scope),
  ];
  if (functions.length === 0) return `${banner}export {};\n`;
  const lines = [...scope.top(), ...functions.flatMap((text) => ['', text])];
  return `${banner}${lines.join('\n')}\n`;
}

function decoders(
  model: ServiceModel,
  reached: readonly string[],
  scope: CodecScope,
  memo: Memo,
): readonly string[] {
  const bodies = new Set(decodedNames(model));
  return reached.map((name) => {
    const type = namedType(model, name);
    const exported = bodies.has(name);
    return functionText(memo, 'decoder', type, [exported], scope, (own) => decoderOf(own, type, exported));
  });
}

function encoders(model: ServiceModel, scope: CodecScope, memo: Memo): readonly string[] {
  const results = new Map(
    answering(model).flatMap(({ result, resultName }) =>
      result === null ? [] : [[resultName, result] as const],
    ),
  );
  const unnamed = [...results].filter(([name, result]) => result.kind !== 'ref' || result.name !== name);
  return [
    ...resultTypes(model, memo).map((name) => {
      const type = namedType(model, name);
      const exported = results.has(name);
      return functionText(memo, 'encoder', type, [exported], scope, (own) => encoderOf(own, type, exported));
    }),
    ...unnamed.map(([name, result]) =>
      functionText(memo, 'result encoder', result, [name], scope, (own) => resultEncoder(own, name, result)),
    ),
  ].filter((text) => text !== '');
}

function redactors(model: ServiceModel, scope: CodecScope): readonly string[] {
  const sensitive = sensitiveTypes(model);
  const messages = redactedTypes(model, sensitive);
  return reachableTypes(model, messages)
    .filter((name) => sensitive.has(name))
    .map((name) => redactorOf(scope, namedType(model, name), sensitive, messages.includes(name)).join('\n'));
}
