/**
 * What people write who come from another system, and how the same is written here. A hint is made from the row; it remains one mistake.
 * The third column is a spelling that compiles, which a test checks; if nothing here does the same, the note alone says so.
 */
export type ForeignRow = readonly [
  /** Words separated by blanks, compared without regard to case. */
  words: string,
  /** The systems they come from. */
  of: string,
  write: string | undefined,
  note?: string,
];

export const SYSTEMS = [
  'GitHub Actions',
  'GitLab CI',
  'Argo',
  'Dagu',
  'Kestra',
  'Airflow',
  'Archon',
  'Lobster',
  'Ansible',
  'Compose',
  'CrewAI',
  'Claude Code',
  'JSON Schema',
  'YAML 1.1',
  'programming',
] as const;
