import { EXAMPLE_MODELS } from '../../plan/agents/example-models';
import type { WorkingFolder } from './working-folder';

/** What `thermidor init` writes without a template: the smallest pipeline that shows an agent, a schema, a person and a script. */
const FILES: Readonly<Record<string, string>> = {
  'pipelines/hello.yaml': `name: hello
description: A writer greets someone, a person approves, a command prints the greeting.
owner: writer

args:
  who:
    type: string
    default: world

steps:
  - id: greet
    agent: writer
    prompt: Write a greeting for \${args.who}.
    output: Greeting.json

  - id: approve
    type: approval
    approvers: anyone
    prompt: "Send this? \${greet.text}"
    show: [greet]

  - id: send
    run: echo \${greet.text}
`,
  'pipelines/agents/writer.yaml': `title: Writer
model: ${EXAMPLE_MODELS.fast}
role: |
  You write short, friendly texts. Answer with one JSON object and nothing else.
`,
  'pipelines/schemas/Greeting.schema.json': `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Greeting',
      type: 'object',
      required: ['text', 'summary'],
      additionalProperties: false,
      properties: {
        text: { type: 'string', minLength: 1, description: 'The greeting itself.' },
        summary: { type: 'string', description: 'What kind of greeting it is.' },
      },
    },
    null,
    2,
  )}
`,
  'pipelines/scripts/hello.yaml': `description: The writer answers at once, and so does the person.
replies:
  greet:
    - after: 300ms
      json: {text: "Hello, world!", summary: "A plain greeting."}
people:
  - gate: approve
    after: 500ms
    approve: {by: editor, comment: "Friendly enough."}
`,
  'pipelines/hello.test.yaml': `# thermidor test
script: hello
commands:
  send: { stdout: "Hello, world!" }

tests:
  - name: sends what was approved
    expect:
      status: completed
      steps: { approve: { decision: approve }, send: { command: 'echo "Hello, world!"' } }

  - name: sends nothing that was rejected
    people:
      - { gate: approve, after: 2h, reject: { by: editor } }
    expect: { status: rejected, steps: { send: pending } }
`,
};

export const HELLO: WorkingFolder = {
  pipeline: 'hello',
  files: FILES,
  commands: ['thermidor validate pipelines/hello.yaml', 'thermidor run hello --script hello', 'thermidor list'],
};
