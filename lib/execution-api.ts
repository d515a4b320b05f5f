import { Names, Validations } from 'aws-cdk-lib';
import {
  AccessLogField as field,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Derived } from '../functions/api/routes.ts';
import type { Granted } from './grants.ts';
import type { HouseProps, LambdaFunction } from './lambda-function.ts';

/** Routes and the function that answers them. */
export interface Served {
  readonly routes: readonly Pick<Derived<string>, 'method' | 'path'>[];
  readonly by: LambdaFunction;
}

export interface ExecutionApiProps extends HouseProps {
  readonly served: readonly Served[];
  /** Requests a second over all routes, on average and at once; more are answered 429. */
  readonly rateLimit: number;
  readonly burstLimit: number;
  /** Give API Gateway its one role of the account and Region for writing logs; without it a stage with logs is refused. */
  readonly accountLogRole: boolean;
}

/** The one stage. Grants name it: a `*` in its place would match more than a stage. */
const STAGE = 'live';

/** One JSON object a request: who asked for what, how it ended and how long it took. No bodies, no task ids. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    at: field.contextRequestTimeEpoch(),
    request_id: field.contextRequestId(),
    caller: field.contextIdentityUserArn(),
    source_ip: field.contextIdentitySourceIp(),
    method: field.contextHttpMethod(),
    route: field.contextResourcePath(),
    status: field.contextStatus(),
    latency_ms: field.contextResponseLatency(),
    error: field.contextErrorMessage(),
    integration_error: field.contextIntegrationErrorMessage(),
  }),
);

/**
 * The service's door: a REST API with a resource for each route of the tables, IAM on every one, and nothing else.
 * A signed request of an unknown route or method gets the same 403 as an unsigned one.
 */
export class ExecutionApi extends Construct {
  readonly resource: RestApi;

  constructor(scope: Construct, id: string, props: ExecutionApiProps) {
    super(scope, id);
    const logs = new LogGroup(this, 'AccessLogs', {
      retention: props.logRetention,
      removalPolicy: props.removalPolicy,
    });
    this.resource = new RestApi(this, 'Resource', {
      // Its metrics go by its name.
      restApiName: Names.uniqueResourceName(this, { maxLength: 128 }),
      description: 'Sensorium: submit tasks, ask about them, and report on those that other workers run',
      endpointTypes: [EndpointType.REGIONAL],
      defaultMethodOptions: { authorizationType: AuthorizationType.IAM },
      cloudWatchRole: props.accountLogRole,
      deployOptions: {
        stageName: STAGE,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: ACCESS_LOG,
        throttlingRateLimit: props.rateLimit,
        throttlingBurstLimit: props.burstLimit,
      },
    });
    for (const { routes, by } of props.served) {
      // One permission a function instead of one a route: a function's policy holds 20 kB.
      const integration = new LambdaIntegration(by.resource, { scopePermissionToMethod: false });
      for (const { method, path } of routes) this.resource.root.resourceForPath(path).addMethod(method, integration);
    }
    this.acknowledge(props.accountLogRole);
  }

  /** Allows to call these paths. */
  grantInvoke(grantee: IGrantable, paths: readonly Granted[]): Grant {
    return Grant.addToPrincipal({
      grantee,
      actions: ['execute-api:Invoke'],
      resourceArns: paths.map(({ method, path }) => this.resource.arnForExecuteApi(method, path, STAGE)),
    });
  }

  private acknowledge(accountLogRole: boolean): void {
    Validations.of(this.resource).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The functions validate with the schemas that the OpenAPI document is made of, and name the field.',
      },
      {
        id: 'AwsSolutions-APIG3',
        reason:
          'IAM on every route: no request of a stranger passes the door, so there is nothing for a WAF to filter.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'Execution logs go to a group that never expires; the access log has the errors, for as long as is set.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'Callers are AWS workloads: IAM signs their requests, there are no users to pool.',
      },
    );
    if (!accountLogRole) return;
    Validations.of(this.resource).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'The role of the whole account by which API Gateway writes logs; AWS keeps this policy for just that.',
    });
  }
}
