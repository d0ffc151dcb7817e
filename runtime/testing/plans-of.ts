import { connect } from '../database/connect.js';

export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** How a statement, and the statements within what it calls, are planned. */
export async function plansOf(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Plan[]> {
  const client = await connect(url);
  const plans: Plan[] = [];
  client.on('notice', ({ message = '' }) => {
    const json = message.slice(message.indexOf('{'));
    if (message.includes('plan:')) plans.push((JSON.parse(json) as { readonly Plan: Plan }).Plan);
  });
  try {
    await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
      SET auto_explain.log_format = json; SET client_min_messages = log`);
    await client.query({ text, values: [...values] });
    return plans;
  } finally {
    await client.end();
  }
}

/** The nodes of plans that read a table. */
export const scansOf = (plans: readonly Plan[], table: string): readonly Plan[] =>
  plans
    .flatMap((plan) => [plan, ...scansOf(plan.Plans ?? [], table)])
    .filter(({ 'Relation Name': name, 'Node Type': node }) => name === table && node !== 'ModifyTable');
