// The tokens of a template as the longest texts that may take their place: to measure what AWS measures.
import type { Filling, Resource } from './tokens.ts';

const REGION = 'ap-southeast-1';

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': REGION,
  'AWS::StackName': 's'.repeat(128),
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

/** The longest name that a resource of a type may have. */
const NAMES: Readonly<Record<string, number>> = {
  'AWS::ApiGateway::RestApi': 10,
  'AWS::DynamoDB::GlobalTable': 255,
  'AWS::Events::EventBus': 256,
  'AWS::Events::Rule': 64,
  'AWS::IAM::ManagedPolicy': 128,
  'AWS::IAM::Role': 64,
  'AWS::Lambda::Function': 64,
  'AWS::Logs::LogGroup': 512,
  'AWS::SQS::Queue': 80,
  'AWS::SecretsManager::Secret': 512,
  'AWS::StepFunctions::StateMachine': 80,
};

/** Before the name in an ARN: partition, service, Region, account and kind. */
const HEAD = `arn:aws-us-gov:secretsmanager:${REGION}:123456789012:stateMachine:`;

/** @returns what fills in the longest texts. It throws at a type of resource that it does not know. */
export function longest(resources: Readonly<Record<string, Resource>>): Filling {
  const arn = (id: string): string => {
    const type = resources[id]?.Type ?? '';
    const name = NAMES[type];
    if (name === undefined) throw new Error(`how long is the name of ${id}, of ${type}?`);
    return HEAD + 'n'.repeat(name);
  };
  return { ref: (id) => PSEUDO[id] ?? arn(id), attribute: arn };
}
