import { refusal, type ToolAnswer } from '../../endpoints/agents/agent-answer.js';
import type { ToolMethods } from '../../endpoints/agents/mcp-answer.js';
import type { Database } from '../../runtime/database/database.js';
import { argumentsIn, documentOf, type Found } from './operator-tool.js';
import { mostRows, operatorTools } from './operator-tools.js';

/** The most characters of the rows in one answer. */
const mostCharacters = 65_536;

/** The methods of the protocol over the questions about a store. */
export function questionsAbout(database: Database, withBodies: boolean): ToolMethods {
  const documents = Object.entries(operatorTools).map(([name, tool]) => documentOf(name, tool));
  return {
    list: () => documents,
    call: async (name, args) => {
      const tool = Object.hasOwn(operatorTools, name) ? operatorTools[name] : undefined;
      if (tool === undefined) return undefined;
      try {
        return fitted(await tool.read({ database, withBodies, ...argumentsIn(tool, args) }));
      } catch (error) {
        return refusal(error);
      }
    },
  };
}

/** As many whole rows as fit. */
export function fitted({ rows, next }: Found): ToolAnswer {
  const shown: unknown[] = [];
  let characters = 0;
  for (const row of rows.slice(0, mostRows)) {
    characters += JSON.stringify(row).length + 1;
    if (characters > mostCharacters) break;
    shown.push(row);
  }
  const left = rows.length - shown.length;
  const note = left === 0 ? {} : { note: `${left} more rows do not fit into one answer; ask for less.` };
  return { status: 'done', result: { rows: shown, ...(next === undefined ? {} : { next }) }, ...note };
}
