import type { Memo } from '../model/memo.js';
import { ts } from '../typescript.js';
import { banner } from './imports.js';

/** The client for a browser without a build step, as an ES module, and its types. */
export const clientModules = (
  client: string,
  memo: Memo,
): { readonly script: string; readonly types: string } =>
  memo.of('client modules', memo, [client], undefined, () => {
    const text = client.slice(banner.length);
    const { ES2022 } = ts.ScriptTarget;
    const compilerOptions = { target: ES2022, module: ts.ModuleKind.ES2022 };
    return {
      script: banner + ts.transpileModule(text, { compilerOptions }).outputText,
      types: banner + ts.transpileDeclaration(text, { compilerOptions }).outputText,
    };
  });
