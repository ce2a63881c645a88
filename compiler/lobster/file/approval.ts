import type { AfterApproval } from '../../../plan/steps/step';
import { jsonOf } from '../../read/json';
import { describeNode, type Entry, entryOf, type MappingNode, type SourceNode } from '../../read/node';
import { type LobsterContext, warnOfUnknownKeys } from './context';

const KEYS = ['prompt', 'items', 'preview', 'initiated_by', 'required_approver', 'require_different_approver'];
const OTHER_SPELLINGS = ['initiatedBy', 'requiredApprover', 'requireDifferentApprover'];

/** Whether `approval:` asks for an approval: `false`, an empty value and blank text do not. */
export function asksApproval(entry: Entry | undefined): boolean {
  if (!entry) return false;
  if (entry.value.kind === 'mapping') return true;
  const value = entry.value.kind === 'scalar' ? entry.value.value : undefined;
  return value === true || (typeof value === 'string' && value.trim() !== '');
}

/** Reads `approval:` as true, "required", a prompt or an object. Its texts are shown to the person unchanged. */
export function readLobsterApproval(entry: Entry | undefined, id: string, who: string, context: LobsterContext): AfterApproval | undefined {
  if (!entry) return undefined;
  const { value: node } = entry;
  if (!asksApproval(entry)) {
    const says = node.kind === 'scalar' && (node.value === false || node.value === null || node.value === '');
    if (!says) context.report('lobster.ignored', node.at, `"approval" is ${describeNode(node)} and ignored`, 'write true or a prompt');
    return undefined;
  }
  const approval: AfterApproval = { prompt: [`Approve ${id}?`] };
  if (node.kind === 'mapping') readFields(node, approval, who, context);
  else if (node.kind === 'scalar' && typeof node.value === 'string' && node.value !== 'required') approval.prompt = [node.value];
  return approval;
}

function readFields(node: MappingNode, approval: AfterApproval, who: string, context: LobsterContext): void {
  warnOfUnknownKeys(node, '"approval"', [...KEYS, ...OTHER_SPELLINGS], context);
  const get = (key: string): SourceNode | undefined => entryOf(node, key)?.value;
  const text = (key: string): string | undefined => {
    const value = get(key);
    return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
  };
  const prompt = text('prompt');
  if (prompt !== undefined) approval.prompt = [prompt];
  const items = get('items');
  if (items?.kind === 'sequence') approval.items = [{ kind: 'literal', value: jsonOf(items) }];
  const preview = text('preview');
  if (preview !== undefined) approval.preview = [preview];

  const identity = (key: string, other: string): string | undefined => {
    for (const spelling of [key, other]) {
      const given = get(spelling);
      if (given && text(spelling) === undefined)
        context.report('lobster.bad-value', given.at, `${who} approval.${spelling} must be a string`, 'put it in quotes');
    }
    return (text(other) ?? text(key))?.trim();
  };
  const initiatedBy = identity('initiated_by', 'initiatedBy');
  if (initiatedBy) approval.initiatedBy = [initiatedBy];
  const requiredApprover = identity('required_approver', 'requiredApprover');
  if (requiredApprover) approval.requiredApprover = [requiredApprover];
  const different = ['require_different_approver', 'requireDifferentApprover'].map((spelling) => {
    const given = get(spelling);
    const value = given?.kind === 'scalar' ? given.value : undefined;
    if (given && typeof value !== 'boolean')
      context.report('lobster.bad-value', given.at, `${who} approval.${spelling} must be a boolean`, 'write true or false');
    return value;
  });
  if ((different[1] ?? different[0]) === true) approval.requireDifferentApprover = true;
}
