import type { Access } from '../../endpoints/access/access.js';
import { Tokens } from '../../endpoints/access/tokens.js';
import type { Config } from '../config/config.js';

export const accessFrom = ({ inspectToken, operatorToken, generatedToken, localOnly }: Config): Access => ({
  tokens: new Tokens({ inspect: inspectToken, operator: operatorToken, generated: generatedToken }),
  localOnly,
});
