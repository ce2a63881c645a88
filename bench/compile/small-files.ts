/**
 * The files that a short command reads: commands alone; agents, schemas and a trigger, which load more; and the same in Lobster's format.
 */
export const SMALL_FILES: Readonly<Record<string, string>> = {
  'small.yaml': `name: small
args: {topic: {default: rain}}
steps:
  - {id: list, run: "list \${topic}"}
  - {id: count, run: wc -l, stdin: $list.stdout}
  - {id: ask, type: approval, prompt: "Publish \${count}?", approvers: anyone}
  - {id: publish, run: publish, when: $ask.approved}
`,
  'schemas.yaml': `name: schemas
trigger: cron "30 7 * * 1-5"
agents: {writer: {role: Writes.}}
schemas: {Draft.json: {type: object, required: [title], properties: {title: {type: string}}}}
steps:
  - {id: draft, agent: writer, output: Draft.json}
  - {id: publish, run: "publish \${draft.title}"}
`,
  'small.lobster': `name: small
args: {topic: {default: rain}}
steps:
  - {id: list, command: "echo \${topic}"}
  - {id: count, command: wc -l, stdin: $list.stdout}
  - {id: ask, command: "true", approval: "Publish?"}
  - {id: publish, command: "true", condition: $ask.approved}
`,
};
