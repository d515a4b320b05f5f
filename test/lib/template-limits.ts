// What AWS refuses on deploy, and neither synth nor a linter nor an emulator tells: the template measured as AWS measures it.
import type { Template } from 'aws-cdk-lib/assertions';
import { longest } from './longest.ts';
import { fillIn } from './tokens.ts';
import type { Resource as Described } from './tokens.ts';

/** Something of a template that has a limit. */
export interface Measured {
  readonly what: string;
  readonly size: number;
  readonly limit: number;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** Texts and documents of a resource, by the type and the property. https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html */
const PROPERTIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'AWS::ApiGateway::RestApi': { Name: 255, Description: 1024 },
  'AWS::ApiGateway::Stage': { AccessLogSetting: 3072 },
  'AWS::CloudWatch::Alarm': { AlarmName: 255, AlarmDescription: 1024 },
  'AWS::Events::EventBus': { Name: 256 },
  'AWS::Events::Rule': { Name: 64, Description: 512, EventPattern: 2048 },
  'AWS::IAM::ManagedPolicy': { ManagedPolicyName: 128, Description: 1000, PolicyDocument: 6144 },
  'AWS::IAM::Role': { RoleName: 64, Description: 1000, AssumeRolePolicyDocument: 2048 },
  'AWS::Lambda::Function': { FunctionName: 64, Description: 256 },
  'AWS::Logs::LogGroup': { LogGroupName: 512 },
  'AWS::SQS::Queue': { QueueName: 80 },
  'AWS::SQS::QueuePolicy': { PolicyDocument: 8192 },
  'AWS::SecretsManager::Secret': { Description: 2048 },
  'AWS::StepFunctions::StateMachine': { StateMachineName: 80, DefinitionString: 1_048_576 },
};

type Resource = Required<Described>;

type Entry = readonly [id: string, resource: Resource];

/** @returns all that has a limit, with its size. */
export function measure(template: Template): readonly Measured[] {
  const whole = template.toJSON() as {
    readonly Resources: Readonly<Record<string, Described>>;
    readonly Outputs?: object;
    Description?: string;
  };
  const all: readonly Entry[] = Object.entries(whole.Resources).map(([id, { Type, Properties = {} }]) => [
    id,
    { Type, Properties },
  ]);
  const of = (type: string): readonly Entry[] => all.filter(([, { Type }]) => Type === type);
  /** Characters without white space, after CloudFormation has filled in what the template refers to. */
  const size = (value: unknown): number => {
    const filled = fillIn(value, longest(whole.Resources));
    return typeof filled === 'string' ? filled.length : JSON.stringify(filled).length;
  };
  return [
    // The CDK uploads it so.
    { what: 'template', size: JSON.stringify(whole, null, 1).length, limit: 1_000_000 },
    { what: 'description', size: whole.Description?.length ?? 0, limit: 1024 },
    { what: 'resources', size: all.length, limit: 500 },
    { what: 'outputs', size: Object.keys(whole.Outputs ?? {}).length, limit: 200 },
    { what: 'rules of a bus', size: of('AWS::Events::Rule').length, limit: 300 },
    ...all.flatMap(([id, { Type, Properties }]) => [
      { what: 'logical id', size: id.length, limit: 255 },
      ...Object.entries(PROPERTIES[Type] ?? {}).map(([property, limit]) => ({
        what: `${property} of ${id}`,
        size: size(Properties[property] ?? ''),
        limit,
      })),
    ]),
    ...of('AWS::Events::Rule').map(([id, { Properties }]) => ({
      what: `targets of ${id}`,
      size: items(Properties['Targets']).length,
      limit: 5,
    })),
    ...of('AWS::SQS::QueuePolicy').map(([id, { Properties }]) => ({
      what: `statements of ${id}`,
      size: statements(Properties).length,
      limit: 20,
    })),
    ...of('AWS::Lambda::EventSourceMapping').flatMap(([id, { Properties }]) => filters(id, Properties)),
    ...of('AWS::IAM::Role').flatMap(([id, { Properties }]) => [
      { what: `managed policies of ${id}`, size: items(Properties['ManagedPolicyArns']).length, limit: 10 },
      {
        what: `policies inside ${id}`,
        size: sum(of('AWS::IAM::Policy').flatMap((policy) => (isOf(policy, id) ? size(document(policy)) : []))),
        limit: 10_240,
      },
    ]),
    ...of('AWS::Lambda::Function').flatMap(([id, { Properties }]) => [
      {
        what: `environment of ${id}`,
        size: size((Properties['Environment'] as { readonly Variables: object } | undefined)?.Variables ?? {}),
        limit: 4096,
      },
      {
        what: `permissions of ${id}`,
        size: sum(
          of('AWS::Lambda::Permission').flatMap((one) => (names(one, id) ? STATEMENT + size(one[1].Properties) : [])),
        ),
        limit: 20_480,
      },
    ]),
    ...variables(of('AWS::ApiGateway::Resource')),
  ];
}

/** @returns what is over its limit. */
export function overruns(template: Template): readonly Measured[] {
  return measure(template).filter(({ size, limit }) => size > limit);
}

/** Of a statement in a function's policy, what its permission does not say: id, effect and the names of its members. */
const STATEMENT = 200;

const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const document = ([, { Properties }]: Entry): unknown => Properties['PolicyDocument'];

const statements = (properties: Resource['Properties']): readonly unknown[] =>
  items((properties['PolicyDocument'] as { readonly Statement: unknown }).Statement);

const refersTo = (value: unknown, id: string): boolean => JSON.stringify(value).includes(`"${id}"`);

const isOf = ([, { Properties }]: Entry, role: string): boolean => refersTo(Properties['Roles'], role);

const names = ([, { Properties }]: Entry, id: string): boolean => refersTo(Properties['FunctionName'], id);

/** A mapping takes five filters, unless AWS is asked for more. */
function filters(id: string, { FilterCriteria }: Resource['Properties']): readonly Measured[] {
  const { Filters } = FilterCriteria as { readonly Filters: readonly { readonly Pattern: string }[] };
  return [
    { what: `filters of ${id}`, size: Filters.length, limit: 5 },
    ...Filters.map(({ Pattern }) => ({ what: `a filter of ${id}`, size: Pattern.length, limit: 4096 })),
  ];
}

/** API Gateway refuses two path variables under one parent, whatever they are called. */
function variables(paths: readonly Entry[]): readonly Measured[] {
  const parents = Map.groupBy(
    paths.filter(([, { Properties }]) => String(Properties['PathPart']).startsWith('{')),
    ([, { Properties }]) => JSON.stringify(Properties['ParentId']),
  );
  return [...parents].map(([parent, found]) => ({ what: `path variables of ${parent}`, size: found.length, limit: 1 }));
}
