// Checks manifests against the schemas of Kubernetes, cert-manager and the Prometheus operator: node check.mjs FILE...
// Prints the kind of each valid one.
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';

const MODELS = {
  'cert-manager.io/v1': '@kubernetes-models/cert-manager/cert-manager.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

for (const file of process.argv.slice(2)) {
  for (const manifest of yaml.loadAll(readFileSync(file, 'utf8'))) {
    const { apiVersion, kind } = manifest;
    const models = await import(MODELS[apiVersion] ?? `kubernetes-models/${apiVersion}`);
    new models[kind](manifest).validate();
    console.log(kind);
  }
}
