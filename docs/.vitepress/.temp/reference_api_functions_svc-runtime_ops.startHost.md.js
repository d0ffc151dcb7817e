import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: startHost()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime_ops.startHost.md","filePath":"reference/api/functions/svc-runtime_ops.startHost.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime_ops.startHost.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-starthost" tabindex="-1">Function: startHost() <a class="header-anchor" href="#function-starthost" aria-label="Permalink to &quot;Function: startHost()&quot;">​</a></h1><blockquote><p><strong>startHost</strong>(<code>definition</code>, <code>given</code>, <code>givenTransport?</code>, <code>extra?</code>): <code>Promise</code>&lt;<a href="./../interfaces/svc-runtime_ops.Host"><code>Host</code></a>&gt;</p></blockquote><p>Connects, starts all parts and listens; when a step fails, undoes the steps before it.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>definition</code></td><td><a href="./../interfaces/svc-runtime.ServiceDefinition"><code>ServiceDefinition</code></a></td></tr><tr><td><code>given</code></td><td><a href="./../interfaces/svc-runtime_ops.Config"><code>Config</code></a></td></tr><tr><td><code>givenTransport?</code></td><td><code>Transport</code></td></tr><tr><td><code>extra?</code></td><td><code>LaunchOptions</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>Promise</code>&lt;<a href="./../interfaces/svc-runtime_ops.Host"><code>Host</code></a>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime_ops.startHost.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_ops_startHost = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_ops_startHost as default
};
