import { refusal, type ToolAnswer } from '../../endpoints/agents/agent-answer.js';
import type { ToolMethods } from '../../endpoints/agents/mcp-answer.js';
import type { Database } from '../../runtime/database/database.js';
import { type Found, mostRows } from './operator-tool.js';
import { operatorTools } from './operator-tools.js';

/** The most characters of the rows in one answer. */
const mostCharacters = 65_536;

/** The methods of the protocol over the questions about a store. */
export function questionsAbout(database: Database, withBodies: boolean): ToolMethods {
  const documents = Object.entries(operatorTools).map(([name, tool]) => tool.document(name));
  return {
    list: () => documents,
    call: async (name, args) => {
      const tool = Object.hasOwn(operatorTools, name) ? operatorTools[name] : undefined;
      if (tool === undefined) return undefined;
      try {
        return fitted(await tool.answer(args, { database, withBodies }));
      } catch (error) {
        return refusal(error);
      }
    },
  };
}

/** As many whole rows as fit; `next` continues behind the last of them, or behind one that is too long by itself. */
export function fitted({ rows, next, positions }: Found): ToolAnswer {
  const shown: unknown[] = [];
  let characters = 0;
  for (const row of rows.slice(0, mostRows)) {
    characters += JSON.stringify(row).length + 1;
    if (characters > mostCharacters) break;
    shown.push(row);
  }
  if (shown.length === rows.length) return answerOf(shown, next);
  const note = 'More rows do not fit into one answer; continue with next, or ask for fewer.';
  return { ...answerOf(shown, positions?.[Math.max(0, shown.length - 1)]), note };
}

const answerOf = (rows: readonly unknown[], next: number | undefined) =>
  ({ status: 'done', result: { rows, ...(next === undefined ? {} : { next }) } }) as const;
