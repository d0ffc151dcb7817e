import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Dispatcher","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.Dispatcher.md","filePath":"reference/api/interfaces/svc-runtime.Dispatcher.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.Dispatcher.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-dispatcher" tabindex="-1">Interface: Dispatcher <a class="header-anchor" href="#interface-dispatcher" aria-label="Permalink to &quot;Interface: Dispatcher&quot;">​</a></h1><p>Sends a command to its receptor in this process.</p><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="localinvoke" tabindex="-1">localInvoke() <a class="header-anchor" href="#localinvoke" aria-label="Permalink to &quot;localInvoke()&quot;">​</a></h3><blockquote><p><strong>localInvoke</strong>&lt;<code>TResult</code>&gt;(<code>command</code>, <code>signal?</code>, <code>context?</code>): <code>Promise</code>&lt;<code>TResult</code>&gt;</p></blockquote><p>Runs the command&#39;s receptor in its own unit of work and resolves after the commit.</p><h4 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="localinvoketresult"></a> <code>TResult</code></td></tr></tbody></table><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>command</code></td><td><a href="./../classes/svc-runtime.Command"><code>Command</code></a></td></tr><tr><td><code>signal?</code></td><td><code>AbortSignal</code></td></tr><tr><td><code>context?</code></td><td><a href="./svc-runtime.MutationContext"><code>MutationContext</code></a></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>Promise</code>&lt;<code>TResult</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.Dispatcher.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Dispatcher = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Dispatcher as default
};
