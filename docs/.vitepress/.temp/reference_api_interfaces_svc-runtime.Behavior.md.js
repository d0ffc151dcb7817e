import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Behavior","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.Behavior.md","filePath":"reference/api/interfaces/svc-runtime.Behavior.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.Behavior.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-behavior" tabindex="-1">Interface: Behavior <a class="header-anchor" href="#interface-behavior" aria-label="Permalink to &quot;Interface: Behavior&quot;">​</a></h1><p>Wraps the handling of every command; the first one registered is outermost.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="auditscommands" tabindex="-1">auditsCommands? <a class="header-anchor" href="#auditscommands" aria-label="Permalink to &quot;auditsCommands?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>auditsCommands?</strong>: <code>boolean</code></p></blockquote><p>Set by a behavior that audits commands; a service has one.</p><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="handle" tabindex="-1">handle() <a class="header-anchor" href="#handle" aria-label="Permalink to &quot;handle()&quot;">​</a></h3><blockquote><p><strong>handle</strong>&lt;<code>TResult</code>&gt;(<code>command</code>, <code>next</code>, <code>context</code>): <code>Promise</code>&lt;<code>TResult</code>&gt;</p></blockquote><h4 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="handletresult"></a> <code>TResult</code></td></tr></tbody></table><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>command</code></td><td><a href="./../classes/svc-runtime.Command"><code>Command</code></a></td></tr><tr><td><code>next</code></td><td>() =&gt; <code>Promise</code>&lt;<code>TResult</code>&gt;</td></tr><tr><td><code>context</code></td><td><a href="./svc-runtime.MutationContext"><code>MutationContext</code></a></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>Promise</code>&lt;<code>TResult</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.Behavior.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Behavior = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Behavior as default
};
