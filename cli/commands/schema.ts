import { agentSchema, briefSchema, pipelineSchema, roleSchema } from '../../compiler/language/json-schema';
import type { Invocation } from '../command';
import { EXIT } from '../exit';

const SCHEMAS = { pipeline: pipelineSchema, agent: agentSchema, brief: briefSchema, role: roleSchema };
const SUBJECTS = Object.keys(SCHEMAS) as readonly (keyof typeof SCHEMAS)[];

/** The JSON Schema of one kind of file, for editors. */
export async function execute({ options, terminal }: Invocation): Promise<number> {
  const subject = SUBJECTS.find((name) => name === options.text('for')) ?? 'pipeline';
  const schema = SCHEMAS[subject]();
  terminal.out(`${JSON.stringify(schema, null, 2)}\n`);
  return EXIT.done;
}
