import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: CommandEndpoint()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.CommandEndpoint.md","filePath":"reference/api/functions/svc-runtime.CommandEndpoint.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.CommandEndpoint.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-commandendpoint" tabindex="-1">Function: CommandEndpoint() <a class="header-anchor" href="#function-commandendpoint" aria-label="Permalink to &quot;Function: CommandEndpoint()&quot;">​</a></h1><blockquote><p><strong>CommandEndpoint</strong>&lt;<code>TCommand</code>, <code>TResult</code>&gt;(<code>init?</code>): <code>CommandEndpointDecorator</code>&lt;<code>TCommand</code>, <code>TResult</code>&gt;</p></blockquote><p>Declares the endpoints generated for a command.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="commandendpointtcommand"></a> <code>TCommand</code> <em>extends</em> <a href="./../classes/svc-runtime.Command"><code>Command</code></a></td></tr><tr><td><a id="commandendpointtresult"></a> <code>TResult</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>init?</code></td><td><code>CommandEndpointInit</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>CommandEndpointDecorator</code>&lt;<code>TCommand</code>, <code>TResult</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.CommandEndpoint.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_CommandEndpoint = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_CommandEndpoint as default
};
