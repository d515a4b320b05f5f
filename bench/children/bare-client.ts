/** What every function has to load at least: the DynamoDB client, and nothing else. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export const client = new DynamoDBClient({});
