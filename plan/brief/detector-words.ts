/** The words of the detectors, in English. A space stands for any white space, an apostrophe for both kinds. */

/** In the first person: what somebody else says is blocked is no stop. */
export const BLOCKED_PHRASES = [
  'I am blocked',
  "I'm blocked",
  'I am stuck',
  "I'm stuck",
  'I cannot proceed',
  "I can't proceed",
  'I cannot continue',
  "I can't continue",
  'I cannot go on',
  "I can't go on",
  'I am unable to proceed',
  'I am unable to continue',
  "I'm unable to proceed",
  "I'm unable to continue",
  'I have to stop here',
  'I am stopping here',
  "I'm stopping here",
  'I need your decision',
  'I need your input',
  'I need your approval',
  'I need your help',
  'I need the operator',
  'need operator input',
  'cannot resolve this',
  'stopping until',
  'waiting for your decision',
  'waiting for your answer',
  'waiting for the operator',
  'waiting for operator',
  'waiting on the operator',
  'waiting on operator',
  'waiting on your',
  'hit a wall',
] as const;

/** Words before a phrase in its sentence that make it a mere case. */
export const CONDITIONS = ['if', 'unless', 'in case', 'when', 'whenever', 'should'] as const;

export const INTENTS = [
  "I'll",
  'I will',
  'I am going to',
  "I'm going to",
  'I am about to',
  "I'm about to",
  'I plan to',
  'I intend to',
  "we'll",
  'we will',
  'let me',
] as const;

export const NEGATIONS = [
  'not',
  'never',
  'no longer',
  "won't",
  "don't",
  'cannot',
  "can't",
  'avoid',
  'without',
  'instead of',
  'rather than',
] as const;

/** An announced action. With `objects` one of them has to follow within a few words, none of which is among `except`. */
export interface ActionRow {
  category: 'filesystem_delete' | 'shell_exec' | 'git_write' | 'git_push' | 'deploy' | 'external_message' | 'paid_api_call';
  verbs: readonly string[];
  objects?: readonly string[];
  except?: readonly string[];
}

export const ACTION_ROWS: readonly ActionRow[] = [
  { category: 'git_push', verbs: ['force-push', 'force push', 'git push', 'push --force'] },
  {
    category: 'git_push',
    verbs: ['push'],
    objects: ['branch', 'commit', 'commits', 'tag', 'tags', 'origin', 'upstream', 'remote', 'main', 'master'],
  },
  {
    category: 'git_write',
    verbs: [
      'git reset --hard',
      'hard reset',
      'hard-reset',
      'filter-branch',
      'filter-repo',
      'rewrite the history',
      'rewrite history',
      'git clean',
    ],
  },
  { category: 'filesystem_delete', verbs: ['rm -r', 'rm -rf', 'rm -fr'] },
  {
    category: 'filesystem_delete',
    verbs: ['delete', 'remove', 'erase', 'wipe', 'purge', 'drop', 'truncate', 'get rid of'],
    objects: [
      ...['file', 'files', 'folder', 'folders', 'directory', 'directories', 'repo', 'repository', 'branch', 'branches', 'history'],
      ...[
        'database',
        'databases',
        'table',
        'tables',
        'schema',
        'bucket',
        'volume',
        'disk',
        'backup',
        'backups',
        'data',
        'everything',
        'all of',
      ],
    ],
    // "Remove the line from the file" leaves the file.
    except: ['from', 'in', 'inside', 'within', 'of'],
  },
  {
    category: 'shell_exec',
    verbs: ['kill', 'terminate', 'shut down', 'restart', 'uninstall', 'format', 'reboot'],
    objects: [
      'process',
      'processes',
      'server',
      'servers',
      'service',
      'services',
      'container',
      'containers',
      'package',
      'packages',
      'disk',
      'machine',
      'host',
    ],
  },
  { category: 'deploy', verbs: ['kubectl apply', 'terraform apply', 'terraform destroy', 'helm upgrade', 'helm install', 'npm publish'] },
  {
    category: 'deploy',
    verbs: ['deploy', 'roll out', 'release', 'ship', 'publish'],
    objects: ['production', 'prod', 'live', 'staging', 'cluster', 'npm', 'registry', 'users', 'customers'],
  },
  {
    category: 'external_message',
    verbs: ['send', 'post', 'email', 'mail', 'tweet', 'comment', 'announce', 'notify', 'message'],
    objects: [
      ...['email', 'e-mail', 'mail', 'slack', 'discord', 'teams', 'sms', 'telegram', 'whatsapp', 'twitter', 'linkedin', 'newsletter'],
      ...['mailing list', 'customer', 'customers', 'subscribers', 'issue', 'pull request'],
    ],
  },
  {
    category: 'paid_api_call',
    verbs: ['buy', 'purchase', 'order', 'rent', 'pay', 'spend', 'charge', 'subscribe to'],
    objects: [
      'credits',
      'money',
      'subscription',
      'licence',
      'license',
      'domain',
      'server',
      'card',
      'customer',
      'customers',
      'dollars',
      'euros',
      'plan',
    ],
  },
  {
    category: 'paid_api_call',
    verbs: ['call', 'query', 'invoke', 'use'],
    objects: ['paid api', 'paid service', 'openai api', 'anthropic api', 'stripe api'],
  },
];

export const COMPLETION_PHRASES = [
  'all deliverables are done',
  'all deliverables are complete',
  'all deliverables are in place',
  'all deliverables are delivered',
  'all deliverables are shipped',
  'all deliverables complete',
  'all deliverables delivered',
  'all deliverables shipped',
  'every deliverable is done',
  'every deliverable is complete',
  'brief complete',
  'brief is complete',
  'brief is done',
  'brief is fulfilled',
  'all sub-tasks are done',
  'everything in the brief is done',
] as const;

/** What says nothing. */
export const BANNED_PHRASES = [
  'certainly',
  'as an AI',
  'as a language model',
  'happy to help',
  'what a great question',
  'I hope this helps',
  'let me know if',
  "don't hesitate",
  'sorry for the confusion',
  'I apologize',
  'it goes without saying',
  'needless to say',
  'rest assured',
  'at the end of the day',
  'game-changer',
  'cutting-edge',
  'seamlessly',
  'delve into',
  'leverage',
] as const;
