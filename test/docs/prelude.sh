# What stands in for commands of the docs that a test cannot mean: they install, deploy, or run this very test.
set -euo pipefail

git() { :; }

npm() {
  case "$1 ${2-}" in
    'run restore' | 'run scenario' | 'run openapi' | 'run signed') command npm "$@" ;;
    'run '* | 'ci ' | 'start '* | 'test '*) : ;;
    *) command npm "$@" ;;
  esac
}

npx() {
  case "$1" in
    cdk) : ;;
    sensorium) shift && node bin/sensorium.mjs "$@" ;;
    *) command npx "$@" ;;
  esac
}

# An emulator gives the API an address of AWS, and nobody waits with the token of a letter that a test wrote: of that
# command the parameters are checked and no request is made.
aws() {
  case "$1 ${2-} $*" in
    'cloudformation describe-stacks '*ApiUrl*) echo "$SENSORIUM_URL" ;;
    # Version 1 has an endpoint of its own for this service, whatever the environment says.
    'sqs '*) python -m awscli "$@" --endpoint-url "$AWS_ENDPOINT_URL" ;;
    'stepfunctions send-task-'*) python -m awscli "$@" --generate-cli-skeleton output ;;
    *) python -m awscli "$@" ;;
  esac
}
