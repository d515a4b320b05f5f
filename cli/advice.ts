/** From whatever went wrong to a sentence that says what to do. */
import type { SensoriumError } from '../client/index.ts';
import { EXIT, Failure } from './failures.ts';

export interface Advice {
  readonly text: string;
  readonly code: number;
}

const ASK =
  'Your identity may not do this: ask for execute-api:Invoke on the API, and cloudformation:DescribeStacks on its stack (or give --url). Who may reach one queue alone names it with --queue.';

/** What AWS says of a request that it refuses, in the words of its services, and what to do about it. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /signature expired|signature not yet current|request(time)?.{0,20}skewed/i,
    'The clock of this machine is off, so its signatures are refused: set it (`sensorium doctor` says by how much).',
  ],
  [
    /token.{0,40}expired|expired.{0,20}token|credentials?.{0,20}expired/i,
    'Your session has expired: sign in again (aws sso login, or fresh keys), then repeat the command.',
  ],
  [
    /scoped to a valid region|scoped to correct service/i,
    'The request is signed for another Region than the API is in: give the right one with --region.',
  ],
  [
    /security token.{0,40}invalid|invalidclienttokenid|unrecognizedclient|invalidaccesskeyid/i,
    'AWS does not know these credentials: look at AWS_ACCESS_KEY_ID or the profile (`sensorium doctor` names it).',
  ],
  [
    /signature.{0,60}does not match|signaturedoesnotmatch/i,
    'The secret key does not belong to the access key: look at AWS_SECRET_ACCESS_KEY or the profile.',
  ],
  [
    /missing authentication token/i,
    'The address is not that of the API, or the service is older than this command: look at --url and SENSORIUM_URL.',
  ],
  [
    /not authorized to perform: states:/i,
    'Your identity may not do this: ask for states:ListExecutions on the state machines of the service, and states:StopExecution on their executions.',
  ],
  [/not authorized|access ?denied|explicit deny/i, ASK],
];

/** @returns what to do about a refusal in AWS's own words; undefined if they say nothing that is known. */
export function adviceOn(words: string): string | undefined {
  return REFUSALS.find(([pattern]) => pattern.test(words))?.[1];
}

/** @returns the sentence and the exit code for what a command ended with. */
export function advise(error: unknown): Advice {
  if (error instanceof Failure) return { text: error.message, code: error.code };
  return { text: sentence(error), code: EXIT.failed };
}

const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError|socket/i;

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return `Something unexpected happened: ${String(error)}`;
  if (error.name === 'SensoriumError') return refusal(error as SensoriumError);
  if (error.name === 'NoAnswerError') {
    if (error.cause instanceof Error && error.cause.name === 'CredentialsProviderError') return sentence(error.cause);
    return `The service does not answer: ${error.message}. Look at the network, --url and --region; \`sensorium doctor\` goes through them.`;
  }
  if (error.name === 'UnreadableAnswerError') {
    return `${capital(error.message)}. Something else stands at this address, or a service of another version: look at --url.`;
  }
  if (error.name === 'CredentialsProviderError') return `${NO_CREDENTIALS} (${error.message})`;
  const words = `${error.name} ${error.message}`;
  const known = adviceOn(words);
  if (known !== undefined) return `${known} (${error.message})`;
  const [offline] = OFFLINE.exec(`${codeOf(error)} ${words}`) ?? [];
  if (offline !== undefined) {
    return `AWS does not answer (${offline}): look at the network, at --region and, for an emulator, at AWS_ENDPOINT_URL.`;
  }
  return `Something unexpected happened: ${error.name}: ${error.message}`;
}

export const NO_CREDENTIALS =
  'There are no AWS credentials: sign in (aws sso login), name a profile with --profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';

/** What the service, or API Gateway before it, said. */
function refusal({ status, detail, field, problem }: SensoriumError): string {
  const known = status === 403 || status === 401 ? adviceOn(detail) : undefined;
  if (known !== undefined) return `${known} (${detail})`;
  if (status === 404)
    return `${capital(detail)}. \`sensorium list\` shows the tasks of a queue, \`sensorium queues\` the queues.`;
  if (status === 429) return `${capital(detail)}. Wait until some have ended, or raise max_active_tasks of the queue.`;
  if (status >= 500) {
    return `The service is in trouble (${status}: ${detail}). Repeat the command in a minute: nothing is done twice.`;
  }
  if (status === 409) return `${capital(detail)}. \`sensorium get\` shows what stands under this id.`;
  if (status === 403 && field !== undefined) {
    const context = field === 'sensor' ? 'allow=<ARN>' : 'allowCancel=true';
    return `${capital(detail)}. It is opened with: npx cdk deploy -c ${context}`;
  }
  if (status === 403) return `The request is refused (${detail}). ${ASK}`;
  const others = (problem.errors ?? []).slice(1).map((each) => `${each.field} ${each.detail}`);
  return `The service refuses it: ${[detail, ...others].join('; ')}.`;
}

/** @returns the network's code of an error or of its cause (`ECONNREFUSED`). */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : codeOf(error.cause);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
