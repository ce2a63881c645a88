import { agentSchema, pipelineSchema } from '../../compiler/language/json-schema';
import type { Invocation } from '../command';
import { EXIT } from '../exit';

/** The JSON Schema of pipelines, or of agents' files, for editors. */
export async function execute({ options, terminal }: Invocation): Promise<number> {
  const schema = options.text('for') === 'agent' ? agentSchema() : pipelineSchema();
  terminal.out(`${JSON.stringify(schema, null, 2)}\n`);
  return EXIT.done;
}
