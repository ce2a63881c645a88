import type { StageName } from '../../plan/stages/stage';

type FlagType = 'string' | 'number' | 'boolean';

/** A stage's description for `commands.list`. */
export interface StageDescription {
  description: string;
  flags?: Readonly<Record<string, readonly [FlagType, string]>>;
  /** The meaning of its words. */
  words?: string;
  required?: readonly string[];
  sideEffects?: readonly string[];
  /** Other names it goes by. */
  aliases?: readonly string[];
}

const KEY = 'Dotted path of the field that counts; the whole item by default';

/** Every stage, described for the agents that look for what they can use. */
export const STAGE_CATALOGUE: Readonly<Record<StageName, StageDescription>> = {
  exec: {
    description: 'Run an operating-system command; its lines, or its JSON, are the items',
    words: 'The command and its arguments',
    flags: {
      json: ['boolean', 'Parse stdout as JSON'],
      shell: ['string', 'A command line for the shell'],
      stdin: ['string', 'Give it the items: raw, json or jsonl'],
    },
    sideEffects: ['local_exec'],
  },
  json: { description: 'Render the items as JSON' },
  table: { description: 'Render the items as a table' },
  pick: { description: 'Keep the named fields of every object', words: 'A comma-separated list of fields', required: ['_'] },
  where: { description: 'Keep the items for which a comparison is true', words: 'One comparison, as in minutes>=30', required: ['_'] },
  head: { description: 'Keep the first items', flags: { n: ['number', 'How many; 10 by default'] } },
  map: {
    description: 'Wrap or unwrap items, or add fields to them',
    words: 'Assignments, as in id={{path}}',
    flags: { wrap: ['string', 'Field to put the item into'], unwrap: ['string', 'Field to take out of the item'] },
  },
  sort: { description: 'Sort the items, stable', flags: { key: ['string', KEY], desc: ['boolean', 'Reverse the order'] } },
  dedupe: { description: 'Keep the first of equal items', flags: { key: ['string', KEY] } },
  groupBy: {
    description: 'Group the items: {key, items, count}',
    flags: { key: ['string', 'Dotted path of the field to group by'] },
    required: ['key'],
  },
  template: {
    description: 'Fill a text with the fields of each item: {{field.path | filter}}',
    words: 'The text, if no flag gives it',
    flags: { text: ['string', 'The text'], file: ['string', 'File with the text'] },
  },
  approve: {
    description: 'Halt until a person approves the items',
    flags: {
      prompt: ['string', 'The question'],
      emit: ['boolean', 'Halt with the request; the pipe always does'],
      'preview-from-stdin': ['boolean', 'Show the first items with the question'],
      limit: ['number', 'How many items the preview shows; 5 by default'],
    },
  },
  ask: {
    description: 'Halt until a person gives a response; the response is passed on',
    flags: {
      prompt: ['string', 'The question'],
      schema: ['string', 'JSON Schema of the response'],
      'subject-from-stdin': ['boolean', 'Show the items as what the question is about'],
      emit: ['boolean', 'Halt with the request; the pipe always does'],
    },
  },
  'diff.last': {
    description: 'Compare the items with the stored value of the key, and store them there',
    words: 'The key, if no flag gives it',
    flags: { key: ['string', 'The key'] },
    sideEffects: ['writes_state'],
  },
  'state.get': { description: 'Output the value of a key', words: 'The key', required: ['_'], sideEffects: ['reads_state'] },
  'state.set': { description: 'Keep the items under a key', words: 'The key', required: ['_'], sideEffects: ['writes_state'] },
  'llm.invoke': {
    description: 'Ask a model through an adapter; the items are its artifacts',
    words: 'The prompt, if no flag gives it',
    flags: {
      prompt: ['string', 'The prompt'],
      model: ['string', 'The model; the adapter chooses by default'],
      provider: ['string', 'openclaw, pi or http'],
      token: ['string', 'Bearer token for the adapter'],
      'output-schema': ['string', 'JSON Schema of the answer’s data; a reply that breaks it is asked for again'],
      'max-validation-retries': ['number', 'How often it is asked for again; 1 by default'],
      'artifacts-json': ['string', 'JSON list of further artifacts'],
      'metadata-json': ['string', 'JSON object that goes with the request'],
      'schema-version': ['string', 'Version of the request’s schema'],
      'max-output-tokens': ['number', 'Ceiling of the answer'],
      temperature: ['number', 'Sampling temperature'],
    },
    sideEffects: ['calls_llm'],
    aliases: ['llm_task.invoke'],
  },
  'openclaw.invoke': {
    description: 'Call a tool of OpenClaw',
    flags: {
      url: ['string', 'The address of OpenClaw; else OPENCLAW_URL'],
      token: ['string', 'Bearer token; else OPENCLAW_TOKEN, which goes only to this machine'],
      tool: ['string', 'The tool'],
      action: ['string', 'The action of the tool'],
      'args-json': ['string', 'The arguments of the tool, as JSON'],
      'session-key': ['string', 'Session the call is counted to'],
      'dry-run': ['boolean', 'Ask the tool to do nothing'],
      each: ['boolean', 'One call for every item'],
      'item-key': ['string', 'Argument that the item goes into; item by default'],
    },
    required: ['tool', 'action'],
    sideEffects: ['calls_clawd_tool'],
    aliases: ['clawd.invoke'],
  },
  'commands.list': { description: 'List all stages' },
  'workflows.list': { description: 'List all pipelines' },
};
