import * as assert from 'uvu/assert';
import type { AnyStateMachine } from 'xstate';

/** A compiled chart knows no parent states, actions or delays. */
export function mustBeFlat({ root, states }: AnyStateMachine): void {
  assert.is(root.type, 'compound');
  assert.is(root.transitions.size, 0);
  for (const node of [root, ...Object.values(states)]) {
    assert.ok(node === root || node.type === 'atomic' || node.type === 'final', node.key);
    assert.is(node.output, undefined);
    const { entry, exit, invoke, always = [] } = node;
    assert.equal([...entry, ...exit, ...invoke, ...always, ...node.after], [], node.key);
    assert.not(node.transitions.has('*'), node.key);
    const actions = [...node.transitions.values()].flat().flatMap((one) => one.actions);
    assert.equal(actions, [], node.key);
  }
}
