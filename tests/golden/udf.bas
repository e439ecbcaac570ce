Attribute VB_Name = "tokensheet_udfs"
' The functions in cells, written from the registry; changes here are lost.
#Const App = "Microsoft Excel"
Function ACTIVATION_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ACTIVATION_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ACTIVATION_BYTES", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ACTIVATION_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ACTIVATION_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    ACTIVATION_BYTES = TS_FAILED(Err.Description)
End Function

Function ACTIVATION_FUNCTION_BYTES(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ACTIVATION_FUNCTION_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ACTIVATION_FUNCTION_BYTES", Array(model, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ACTIVATION_FUNCTION_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ACTIVATION_FUNCTION_BYTES", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    ACTIVATION_FUNCTION_BYTES = TS_FAILED(Err.Description)
End Function

Function ADAPTER_BYTES(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ADAPTER_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ADAPTER_BYTES", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ADAPTER_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ADAPTER_BYTES", Array(model, options)))
        Exit Function
    #End If
failed:
    ADAPTER_BYTES = TS_FAILED(Err.Description)
End Function

Function ADAPTER_DECODE_LATENCY(model, gpu, gpus, context, adapters, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ADAPTER_DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ADAPTER_DECODE_LATENCY", Array(model, gpu, gpus, context, adapters, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ADAPTER_DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ADAPTER_DECODE_LATENCY", Array(model, gpu, gpus, context, adapters, batch, options)))
        Exit Function
    #End If
failed:
    ADAPTER_DECODE_LATENCY = TS_FAILED(Err.Description)
End Function

Function ALL_REDUCE_TIME(gpu, gpus, message_bytes, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ALL_REDUCE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ALL_REDUCE_TIME", Array(gpu, gpus, message_bytes, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ALL_REDUCE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ALL_REDUCE_TIME", Array(gpu, gpus, message_bytes, options)))
        Exit Function
    #End If
failed:
    ALL_REDUCE_TIME = TS_FAILED(Err.Description)
End Function

Function ALL_TO_ALL_TIME(model, gpu, gpus, ep, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ALL_TO_ALL_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ALL_TO_ALL_TIME", Array(model, gpu, gpus, ep, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ALL_TO_ALL_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ALL_TO_ALL_TIME", Array(model, gpu, gpus, ep, batch, options)))
        Exit Function
    #End If
failed:
    ALL_TO_ALL_TIME = TS_FAILED(Err.Description)
End Function

Function API_ADVANTAGE(model, gpu, gpus, cost_per_hour, context, price, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        API_ADVANTAGE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_ADVANTAGE", Array(model, gpu, gpus, cost_per_hour, context, price, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        API_ADVANTAGE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_ADVANTAGE", Array(model, gpu, gpus, cost_per_hour, context, price, batch, options)))
        Exit Function
    #End If
failed:
    API_ADVANTAGE = TS_FAILED(Err.Description)
End Function

Function API_REQUEST_COST(api, prompt, output, Optional mean_cached_prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        API_REQUEST_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_REQUEST_COST", Array(api, prompt, output, mean_cached_prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        API_REQUEST_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_REQUEST_COST", Array(api, prompt, output, mean_cached_prompt, options)))
        Exit Function
    #End If
failed:
    API_REQUEST_COST = TS_FAILED(Err.Description)
End Function

Function API_TOKENS_PER_DOLLAR(price, Optional per_tokens)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        API_TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_TOKENS_PER_DOLLAR", Array(price, per_tokens), Nothing, Application.Caller))
        Exit Function
    #Else
        API_TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_TOKENS_PER_DOLLAR", Array(price, per_tokens)))
        Exit Function
    #End If
failed:
    API_TOKENS_PER_DOLLAR = TS_FAILED(Err.Description)
End Function

Function ATTENTION_PAIRS(prompt, Optional cached_prefix)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ATTENTION_PAIRS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ATTENTION_PAIRS", Array(prompt, cached_prefix), Nothing, Application.Caller))
        Exit Function
    #Else
        ATTENTION_PAIRS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ATTENTION_PAIRS", Array(prompt, cached_prefix)))
        Exit Function
    #End If
failed:
    ATTENTION_PAIRS = TS_FAILED(Err.Description)
End Function

Function AUTOSCALED_MONTHLY_COST(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        AUTOSCALED_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "AUTOSCALED_MONTHLY_COST", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        AUTOSCALED_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "AUTOSCALED_MONTHLY_COST", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    AUTOSCALED_MONTHLY_COST = TS_FAILED(Err.Description)
End Function

Function AUTOSCALED_REPLICAS(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        AUTOSCALED_REPLICAS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "AUTOSCALED_REPLICAS", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        AUTOSCALED_REPLICAS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "AUTOSCALED_REPLICAS", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    AUTOSCALED_REPLICAS = TS_FAILED(Err.Description)
End Function

Function AUTOSCALING_SAVING(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        AUTOSCALING_SAVING = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "AUTOSCALING_SAVING", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        AUTOSCALING_SAVING = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "AUTOSCALING_SAVING", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    AUTOSCALING_SAVING = TS_FAILED(Err.Description)
End Function

Function BATCH_FOR_RATE(model, gpu, gpus, context, token_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BATCH_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_FOR_RATE", Array(model, gpu, gpus, context, token_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BATCH_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_FOR_RATE", Array(model, gpu, gpus, context, token_rate, options)))
        Exit Function
    #End If
failed:
    BATCH_FOR_RATE = TS_FAILED(Err.Description)
End Function

Function BATCH_LIMIT(model, gpu, gpus, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BATCH_LIMIT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_LIMIT", Array(model, gpu, gpus, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BATCH_LIMIT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_LIMIT", Array(model, gpu, gpus, prompt, output, options)))
        Exit Function
    #End If
failed:
    BATCH_LIMIT = TS_FAILED(Err.Description)
End Function

Function BATCH_RUN_TIME(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BATCH_RUN_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_RUN_TIME", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BATCH_RUN_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_RUN_TIME", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    BATCH_RUN_TIME = TS_FAILED(Err.Description)
End Function

Function BATCH_RUN_TIME_HIGH(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BATCH_RUN_TIME_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_RUN_TIME_HIGH", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BATCH_RUN_TIME_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_RUN_TIME_HIGH", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    BATCH_RUN_TIME_HIGH = TS_FAILED(Err.Description)
End Function

Function BATCH_RUN_TIME_LOW(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BATCH_RUN_TIME_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_RUN_TIME_LOW", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BATCH_RUN_TIME_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BATCH_RUN_TIME_LOW", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    BATCH_RUN_TIME_LOW = TS_FAILED(Err.Description)
End Function

Function BEST_CONFIG(model, Optional context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BEST_CONFIG = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BEST_CONFIG", Array(model, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BEST_CONFIG = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BEST_CONFIG", Array(model, context, options)))
        Exit Function
    #End If
failed:
    BEST_CONFIG = TS_FAILED(Err.Description)
End Function

Function BIAS_BYTES(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BIAS_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BIAS_BYTES", Array(model, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BIAS_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BIAS_BYTES", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    BIAS_BYTES = TS_FAILED(Err.Description)
End Function

Function BREAK_EVEN_LOAD_SHARE(model, gpu, gpus, replicas, api, prompt, output, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BREAK_EVEN_LOAD_SHARE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BREAK_EVEN_LOAD_SHARE", Array(model, gpu, gpus, replicas, api, prompt, output, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BREAK_EVEN_LOAD_SHARE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BREAK_EVEN_LOAD_SHARE", Array(model, gpu, gpus, replicas, api, prompt, output, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    BREAK_EVEN_LOAD_SHARE = TS_FAILED(Err.Description)
End Function

Function BREAK_EVEN_TOKENS(gpu, gpus, replicas, api, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        BREAK_EVEN_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BREAK_EVEN_TOKENS", Array(gpu, gpus, replicas, api, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        BREAK_EVEN_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "BREAK_EVEN_TOKENS", Array(gpu, gpus, replicas, api, prompt, output, options)))
        Exit Function
    #End If
failed:
    BREAK_EVEN_TOKENS = TS_FAILED(Err.Description)
End Function

Function CACHED_PROMPT_TOKENS(prompt, shared_prefix, Optional block_tokens)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CACHED_PROMPT_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHED_PROMPT_TOKENS", Array(prompt, shared_prefix, block_tokens), Nothing, Application.Caller))
        Exit Function
    #Else
        CACHED_PROMPT_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHED_PROMPT_TOKENS", Array(prompt, shared_prefix, block_tokens)))
        Exit Function
    #End If
failed:
    CACHED_PROMPT_TOKENS = TS_FAILED(Err.Description)
End Function

Function CACHE_BYTES_SAVED(model, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CACHE_BYTES_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHE_BYTES_SAVED", Array(model, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CACHE_BYTES_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHE_BYTES_SAVED", Array(model, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    CACHE_BYTES_SAVED = TS_FAILED(Err.Description)
End Function

Function CACHE_READ_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CACHE_READ_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHE_READ_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CACHE_READ_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHE_READ_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    CACHE_READ_TIME = TS_FAILED(Err.Description)
End Function

Function CACHE_TRANSFER_TIME(model, gpu, gpus, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CACHE_TRANSFER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHE_TRANSFER_TIME", Array(model, gpu, gpus, prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CACHE_TRANSFER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CACHE_TRANSFER_TIME", Array(model, gpu, gpus, prompt, options)))
        Exit Function
    #End If
failed:
    CACHE_TRANSFER_TIME = TS_FAILED(Err.Description)
End Function

Function CAPACITY_BINDS(model, gpu, gpus, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CAPACITY_BINDS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CAPACITY_BINDS", Array(model, gpu, gpus, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CAPACITY_BINDS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CAPACITY_BINDS", Array(model, gpu, gpus, context, options)))
        Exit Function
    #End If
failed:
    CAPACITY_BINDS = TS_FAILED(Err.Description)
End Function

Function CASH_FLOW(gpu, gpus, replicas, plan_year, plan_years, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CASH_FLOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CASH_FLOW", Array(gpu, gpus, replicas, plan_year, plan_years, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CASH_FLOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CASH_FLOW", Array(gpu, gpus, replicas, plan_year, plan_years, options)))
        Exit Function
    #End If
failed:
    CASH_FLOW = TS_FAILED(Err.Description)
End Function

Function CO2_PER_MILLION_TOKENS(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CO2_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CO2_PER_MILLION_TOKENS", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CO2_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CO2_PER_MILLION_TOKENS", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    CO2_PER_MILLION_TOKENS = TS_FAILED(Err.Description)
End Function

Function CO2_PER_MONTH(gpu, gpus, replicas, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CO2_PER_MONTH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CO2_PER_MONTH", Array(gpu, gpus, replicas, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CO2_PER_MONTH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CO2_PER_MONTH", Array(gpu, gpus, replicas, options)))
        Exit Function
    #End If
failed:
    CO2_PER_MONTH = TS_FAILED(Err.Description)
End Function

Function COMM_INTENSITY(model, gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMM_INTENSITY", Array(model, gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMM_INTENSITY", Array(model, gpu, gpus, options)))
        Exit Function
    #End If
failed:
    COMM_INTENSITY = TS_FAILED(Err.Description)
End Function

Function COMM_RIDGE(gpu, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COMM_RIDGE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMM_RIDGE", Array(gpu, options), Nothing, Application.Caller))
        Exit Function
    #Else
        COMM_RIDGE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMM_RIDGE", Array(gpu, options)))
        Exit Function
    #End If
failed:
    COMM_RIDGE = TS_FAILED(Err.Description)
End Function

Function COMPUTE_BOUND_BATCH(model, gpu, gpus, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COMPUTE_BOUND_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMPUTE_BOUND_BATCH", Array(model, gpu, gpus, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        COMPUTE_BOUND_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMPUTE_BOUND_BATCH", Array(model, gpu, gpus, context, options)))
        Exit Function
    #End If
failed:
    COMPUTE_BOUND_BATCH = TS_FAILED(Err.Description)
End Function

Function COMPUTE_UTILIZATION(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COMPUTE_UTILIZATION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMPUTE_UTILIZATION", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        COMPUTE_UTILIZATION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMPUTE_UTILIZATION", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    COMPUTE_UTILIZATION = TS_FAILED(Err.Description)
End Function

Function CONCURRENT_REQUESTS(users, think_time, answer_time)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CONCURRENT_REQUESTS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CONCURRENT_REQUESTS", Array(users, think_time, answer_time), Nothing, Application.Caller))
        Exit Function
    #Else
        CONCURRENT_REQUESTS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CONCURRENT_REQUESTS", Array(users, think_time, answer_time)))
        Exit Function
    #End If
failed:
    CONCURRENT_REQUESTS = TS_FAILED(Err.Description)
End Function

Function CORESIDENT_REPLICAS_NEEDED(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CORESIDENT_REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_REPLICAS_NEEDED", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CORESIDENT_REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_REPLICAS_NEEDED", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options)))
        Exit Function
    #End If
failed:
    CORESIDENT_REPLICAS_NEEDED = TS_FAILED(Err.Description)
End Function

Function CORESIDENT_TARGETS_HOLD(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CORESIDENT_TARGETS_HOLD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_TARGETS_HOLD", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CORESIDENT_TARGETS_HOLD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_TARGETS_HOLD", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    CORESIDENT_TARGETS_HOLD = TS_FAILED(Err.Description)
End Function

Function CORESIDENT_TPOT(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CORESIDENT_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_TPOT", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CORESIDENT_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_TPOT", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, percentile, options)))
        Exit Function
    #End If
failed:
    CORESIDENT_TPOT = TS_FAILED(Err.Description)
End Function

Function CORESIDENT_TTFT(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CORESIDENT_TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_TTFT", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CORESIDENT_TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_TTFT", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, percentile, options)))
        Exit Function
    #End If
failed:
    CORESIDENT_TTFT = TS_FAILED(Err.Description)
End Function

Function CORESIDENT_UTILIZATION(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        CORESIDENT_UTILIZATION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_UTILIZATION", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        CORESIDENT_UTILIZATION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "CORESIDENT_UTILIZATION", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options)))
        Exit Function
    #End If
failed:
    CORESIDENT_UTILIZATION = TS_FAILED(Err.Description)
End Function

Function COST_PER_HOUR(gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COST_PER_HOUR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COST_PER_HOUR", Array(gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        COST_PER_HOUR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COST_PER_HOUR", Array(gpu, gpus, options)))
        Exit Function
    #End If
failed:
    COST_PER_HOUR = TS_FAILED(Err.Description)
End Function

Function COST_PER_USED_HOUR(gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COST_PER_USED_HOUR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COST_PER_USED_HOUR", Array(gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        COST_PER_USED_HOUR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COST_PER_USED_HOUR", Array(gpu, gpus, options)))
        Exit Function
    #End If
failed:
    COST_PER_USED_HOUR = TS_FAILED(Err.Description)
End Function

Function DECODE_COMPUTE_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_COMPUTE_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_COMPUTE_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_COMPUTE_TIME = TS_FAILED(Err.Description)
End Function

Function DECODE_LATENCY(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_LATENCY = TS_FAILED(Err.Description)
End Function

Function DECODE_LATENCY_FLOOR(model, gpu, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_LATENCY_FLOOR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY_FLOOR", Array(model, gpu, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_LATENCY_FLOOR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY_FLOOR", Array(model, gpu, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_LATENCY_FLOOR = TS_FAILED(Err.Description)
End Function

Function DECODE_LATENCY_HIGH(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_LATENCY_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY_HIGH", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_LATENCY_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY_HIGH", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_LATENCY_HIGH = TS_FAILED(Err.Description)
End Function

Function DECODE_LATENCY_LOW(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_LATENCY_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY_LOW", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_LATENCY_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY_LOW", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_LATENCY_LOW = TS_FAILED(Err.Description)
End Function

Function DECODE_MEMORY_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_MEMORY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_MEMORY_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_MEMORY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_MEMORY_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_MEMORY_TIME = TS_FAILED(Err.Description)
End Function

Function DECODE_REPLICAS_NEEDED(model, gpu, gpus, prompt, output, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_REPLICAS_NEEDED", Array(model, gpu, gpus, prompt, output, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_REPLICAS_NEEDED", Array(model, gpu, gpus, prompt, output, request_rate, options)))
        Exit Function
    #End If
failed:
    DECODE_REPLICAS_NEEDED = TS_FAILED(Err.Description)
End Function

Function DECODE_REPLICA_CAPACITY(model, gpu, gpus, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_REPLICA_CAPACITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_REPLICA_CAPACITY", Array(model, gpu, gpus, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_REPLICA_CAPACITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_REPLICA_CAPACITY", Array(model, gpu, gpus, prompt, output, options)))
        Exit Function
    #End If
failed:
    DECODE_REPLICA_CAPACITY = TS_FAILED(Err.Description)
End Function

Function DECODE_STAGE_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_STAGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_STAGE_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DECODE_STAGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_STAGE_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_STAGE_TIME = TS_FAILED(Err.Description)
End Function

Function DISAGGREGATED_PREFILL_LATENCY(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DISAGGREGATED_PREFILL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DISAGGREGATED_PREFILL_LATENCY", Array(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DISAGGREGATED_PREFILL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DISAGGREGATED_PREFILL_LATENCY", Array(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, options)))
        Exit Function
    #End If
failed:
    DISAGGREGATED_PREFILL_LATENCY = TS_FAILED(Err.Description)
End Function

Function DISAGGREGATED_TPOT(model, gpu, gpus, prompt, output, request_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DISAGGREGATED_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DISAGGREGATED_TPOT", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DISAGGREGATED_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DISAGGREGATED_TPOT", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options)))
        Exit Function
    #End If
failed:
    DISAGGREGATED_TPOT = TS_FAILED(Err.Description)
End Function

Function DISAGGREGATED_TTFT(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, request_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DISAGGREGATED_TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DISAGGREGATED_TTFT", Array(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, request_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        DISAGGREGATED_TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DISAGGREGATED_TTFT", Array(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, request_rate, percentile, options)))
        Exit Function
    #End If
failed:
    DISAGGREGATED_TTFT = TS_FAILED(Err.Description)
End Function

Function EMBEDDING_BYTES_PER_DEVICE(model, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EMBEDDING_BYTES_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EMBEDDING_BYTES_PER_DEVICE", Array(model, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EMBEDDING_BYTES_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EMBEDDING_BYTES_PER_DEVICE", Array(model, gpus, options)))
        Exit Function
    #End If
failed:
    EMBEDDING_BYTES_PER_DEVICE = TS_FAILED(Err.Description)
End Function

Function EMBEDDING_BY_TOKEN_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EMBEDDING_BY_TOKEN_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EMBEDDING_BY_TOKEN_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EMBEDDING_BY_TOKEN_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EMBEDDING_BY_TOKEN_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    EMBEDDING_BY_TOKEN_TIME = TS_FAILED(Err.Description)
End Function

Function EMBEDDING_BY_WIDTH_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EMBEDDING_BY_WIDTH_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EMBEDDING_BY_WIDTH_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EMBEDDING_BY_WIDTH_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EMBEDDING_BY_WIDTH_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    EMBEDDING_BY_WIDTH_TIME = TS_FAILED(Err.Description)
End Function

Function ENERGY_PER_MONTH(gpu, gpus, replicas, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ENERGY_PER_MONTH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ENERGY_PER_MONTH", Array(gpu, gpus, replicas, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ENERGY_PER_MONTH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ENERGY_PER_MONTH", Array(gpu, gpus, replicas, options)))
        Exit Function
    #End If
failed:
    ENERGY_PER_MONTH = TS_FAILED(Err.Description)
End Function

Function ENERGY_PER_TOKEN(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ENERGY_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ENERGY_PER_TOKEN", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ENERGY_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ENERGY_PER_TOKEN", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    ENERGY_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function ENERGY_USD_PER_MILLION_TOKENS(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ENERGY_USD_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ENERGY_USD_PER_MILLION_TOKENS", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        ENERGY_USD_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ENERGY_USD_PER_MILLION_TOKENS", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    ENERGY_USD_PER_MILLION_TOKENS = TS_FAILED(Err.Description)
End Function

Function ERLANG_C(servers, queue_load)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ERLANG_C = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ERLANG_C", Array(servers, queue_load), Nothing, Application.Caller))
        Exit Function
    #Else
        ERLANG_C = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ERLANG_C", Array(servers, queue_load)))
        Exit Function
    #End If
failed:
    ERLANG_C = TS_FAILED(Err.Description)
End Function

Function EVEN_RENT(gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EVEN_RENT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EVEN_RENT", Array(gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EVEN_RENT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EVEN_RENT", Array(gpu, gpus, options)))
        Exit Function
    #End If
failed:
    EVEN_RENT = TS_FAILED(Err.Description)
End Function

Function EXPERTS_TOUCHED(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EXPERTS_TOUCHED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERTS_TOUCHED", Array(model, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EXPERTS_TOUCHED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERTS_TOUCHED", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    EXPERTS_TOUCHED = TS_FAILED(Err.Description)
End Function

Function EXPERT_BYTES_PER_DEVICE(model, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EXPERT_BYTES_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERT_BYTES_PER_DEVICE", Array(model, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EXPERT_BYTES_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERT_BYTES_PER_DEVICE", Array(model, gpus, options)))
        Exit Function
    #End If
failed:
    EXPERT_BYTES_PER_DEVICE = TS_FAILED(Err.Description)
End Function

Function EXPERT_PARALLEL_LATENCY(model, gpu, gpus, ep, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EXPERT_PARALLEL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERT_PARALLEL_LATENCY", Array(model, gpu, gpus, ep, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        EXPERT_PARALLEL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERT_PARALLEL_LATENCY", Array(model, gpu, gpus, ep, context, batch, options)))
        Exit Function
    #End If
failed:
    EXPERT_PARALLEL_LATENCY = TS_FAILED(Err.Description)
End Function

Function EXPLAIN(the_function, ParamArray arguments())
    Dim argsArray() As Variant
    argsArray = Array(the_function)
    ReDim Preserve argsArray(0 to UBound(arguments) - LBound(arguments) + 1)
    For k = LBound(arguments) To UBound(arguments)
    argsArray(1 + k - LBound(arguments)) = arguments(k)
    Next k
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EXPLAIN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPLAIN", argsArray, Nothing, Application.Caller))
        Exit Function
    #Else
        EXPLAIN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPLAIN", argsArray))
        Exit Function
    #End If
failed:
    EXPLAIN = TS_FAILED(Err.Description)
End Function

Function FITS(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FITS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FITS", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FITS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FITS", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    FITS = TS_FAILED(Err.Description)
End Function

Function FLEET_CO2_PER_MILLION(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_CO2_PER_MILLION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_CO2_PER_MILLION", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_CO2_PER_MILLION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_CO2_PER_MILLION", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    FLEET_CO2_PER_MILLION = TS_FAILED(Err.Description)
End Function

Function FLEET_GPUS(gpus, replicas, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_GPUS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_GPUS", Array(gpus, replicas, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_GPUS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_GPUS", Array(gpus, replicas, options)))
        Exit Function
    #End If
failed:
    FLEET_GPUS = TS_FAILED(Err.Description)
End Function

Function FLEET_KWH_PER_MILLION(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_KWH_PER_MILLION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_KWH_PER_MILLION", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_KWH_PER_MILLION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_KWH_PER_MILLION", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    FLEET_KWH_PER_MILLION = TS_FAILED(Err.Description)
End Function

Function FLEET_MONTHLY_COST(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_MONTHLY_COST", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_MONTHLY_COST", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    FLEET_MONTHLY_COST = TS_FAILED(Err.Description)
End Function

Function FLEET_NODES(gpus, replicas, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_NODES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_NODES", Array(gpus, replicas, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_NODES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_NODES", Array(gpus, replicas, options)))
        Exit Function
    #End If
failed:
    FLEET_NODES = TS_FAILED(Err.Description)
End Function

Function FLEET_RACKS(gpus, replicas, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_RACKS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_RACKS", Array(gpus, replicas, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_RACKS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_RACKS", Array(gpus, replicas, options)))
        Exit Function
    #End If
failed:
    FLEET_RACKS = TS_FAILED(Err.Description)
End Function

Function FLEET_USD_PER_MILLION(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLEET_USD_PER_MILLION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_USD_PER_MILLION", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLEET_USD_PER_MILLION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLEET_USD_PER_MILLION", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    FLEET_USD_PER_MILLION = TS_FAILED(Err.Description)
End Function

Function FLOPS_PER_TOKEN(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLOPS_PER_TOKEN", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLOPS_PER_TOKEN", Array(model, options)))
        Exit Function
    #End If
failed:
    FLOPS_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function FUSION_BYTES_SAVED(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FUSION_BYTES_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FUSION_BYTES_SAVED", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        FUSION_BYTES_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FUSION_BYTES_SAVED", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    FUSION_BYTES_SAVED = TS_FAILED(Err.Description)
End Function

Function GPUS_FOR_RATE(model, gpu, context, token_rate, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        GPUS_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GPUS_FOR_RATE", Array(model, gpu, context, token_rate, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        GPUS_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GPUS_FOR_RATE", Array(model, gpu, context, token_rate, batch, options)))
        Exit Function
    #End If
failed:
    GPUS_FOR_RATE = TS_FAILED(Err.Description)
End Function

Function GPUS_NEEDED(model, gpu, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        GPUS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GPUS_NEEDED", Array(model, gpu, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        GPUS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GPUS_NEEDED", Array(model, gpu, context, batch, options)))
        Exit Function
    #End If
failed:
    GPUS_NEEDED = TS_FAILED(Err.Description)
End Function

Function GROWING_NET_PRESENT_COST(model, gpu, gpus, prompt, output, request_rate, plan_years, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        GROWING_NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GROWING_NET_PRESENT_COST", Array(model, gpu, gpus, prompt, output, request_rate, plan_years, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        GROWING_NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GROWING_NET_PRESENT_COST", Array(model, gpu, gpus, prompt, output, request_rate, plan_years, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    GROWING_NET_PRESENT_COST = TS_FAILED(Err.Description)
End Function

Function HISTOGRAM_CV(bin_length_1, bin_share_1, Optional bin_length_2, Optional bin_share_2, Optional bin_length_3, Optional bin_share_3, Optional bin_length_4, Optional bin_share_4, Optional bin_length_5, Optional bin_share_5, Optional bin_length_6, Optional bin_share_6)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        HISTOGRAM_CV = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HISTOGRAM_CV", Array(bin_length_1, bin_share_1, bin_length_2, bin_share_2, bin_length_3, bin_share_3, bin_length_4, bin_share_4, bin_length_5, bin_share_5, bin_length_6, bin_share_6), Nothing, Application.Caller))
        Exit Function
    #Else
        HISTOGRAM_CV = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HISTOGRAM_CV", Array(bin_length_1, bin_share_1, bin_length_2, bin_share_2, bin_length_3, bin_share_3, bin_length_4, bin_share_4, bin_length_5, bin_share_5, bin_length_6, bin_share_6)))
        Exit Function
    #End If
failed:
    HISTOGRAM_CV = TS_FAILED(Err.Description)
End Function

Function HISTOGRAM_MEAN(bin_length_1, bin_share_1, Optional bin_length_2, Optional bin_share_2, Optional bin_length_3, Optional bin_share_3, Optional bin_length_4, Optional bin_share_4, Optional bin_length_5, Optional bin_share_5, Optional bin_length_6, Optional bin_share_6)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        HISTOGRAM_MEAN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HISTOGRAM_MEAN", Array(bin_length_1, bin_share_1, bin_length_2, bin_share_2, bin_length_3, bin_share_3, bin_length_4, bin_share_4, bin_length_5, bin_share_5, bin_length_6, bin_share_6), Nothing, Application.Caller))
        Exit Function
    #Else
        HISTOGRAM_MEAN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HISTOGRAM_MEAN", Array(bin_length_1, bin_share_1, bin_length_2, bin_share_2, bin_length_3, bin_share_3, bin_length_4, bin_share_4, bin_length_5, bin_share_5, bin_length_6, bin_share_6)))
        Exit Function
    #End If
failed:
    HISTOGRAM_MEAN = TS_FAILED(Err.Description)
End Function

Function HOST_PRICE_SHARE(gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        HOST_PRICE_SHARE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOST_PRICE_SHARE", Array(gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        HOST_PRICE_SHARE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOST_PRICE_SHARE", Array(gpu, gpus, options)))
        Exit Function
    #End If
failed:
    HOST_PRICE_SHARE = TS_FAILED(Err.Description)
End Function

Function HOUR_FLEET(model, gpu, gpus, prompt, output, request_rate, hour, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        HOUR_FLEET = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOUR_FLEET", Array(model, gpu, gpus, prompt, output, request_rate, hour, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        HOUR_FLEET = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOUR_FLEET", Array(model, gpu, gpus, prompt, output, request_rate, hour, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    HOUR_FLEET = TS_FAILED(Err.Description)
End Function

Function HOUR_TPOT(model, gpu, gpus, prompt, output, request_rate, hour, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        HOUR_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOUR_TPOT", Array(model, gpu, gpus, prompt, output, request_rate, hour, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        HOUR_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOUR_TPOT", Array(model, gpu, gpus, prompt, output, request_rate, hour, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    HOUR_TPOT = TS_FAILED(Err.Description)
End Function

Function HOUR_TTFT(model, gpu, gpus, prompt, output, request_rate, hour, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        HOUR_TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOUR_TTFT", Array(model, gpu, gpus, prompt, output, request_rate, hour, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        HOUR_TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "HOUR_TTFT", Array(model, gpu, gpus, prompt, output, request_rate, hour, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    HOUR_TTFT = TS_FAILED(Err.Description)
End Function

Function IMAGE_TOKENS(image_width, image_height, patch_size, Optional patch_merge)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        IMAGE_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IMAGE_TOKENS", Array(image_width, image_height, patch_size, patch_merge), Nothing, Application.Caller))
        Exit Function
    #Else
        IMAGE_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IMAGE_TOKENS", Array(image_width, image_height, patch_size, patch_merge)))
        Exit Function
    #End If
failed:
    IMAGE_TOKENS = TS_FAILED(Err.Description)
End Function

Function INTERMEDIATE_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        INTERMEDIATE_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "INTERMEDIATE_BYTES", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        INTERMEDIATE_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "INTERMEDIATE_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    INTERMEDIATE_BYTES = TS_FAILED(Err.Description)
End Function

Function INTERMEDIATE_PEAK_BYTES(model, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        INTERMEDIATE_PEAK_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "INTERMEDIATE_PEAK_BYTES", Array(model, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        INTERMEDIATE_PEAK_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "INTERMEDIATE_PEAK_BYTES", Array(model, prompt, batch, options)))
        Exit Function
    #End If
failed:
    INTERMEDIATE_PEAK_BYTES = TS_FAILED(Err.Description)
End Function

Function INTERMEDIATE_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        INTERMEDIATE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "INTERMEDIATE_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        INTERMEDIATE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "INTERMEDIATE_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    INTERMEDIATE_TIME = TS_FAILED(Err.Description)
End Function

Function IN_CURRENCY(usd_amount, exchange_rate, exchange_direction, exchange_date, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        IN_CURRENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IN_CURRENCY", Array(usd_amount, exchange_rate, exchange_direction, exchange_date, options), Nothing, Application.Caller))
        Exit Function
    #Else
        IN_CURRENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IN_CURRENCY", Array(usd_amount, exchange_rate, exchange_direction, exchange_date, options)))
        Exit Function
    #End If
failed:
    IN_CURRENCY = TS_FAILED(Err.Description)
End Function

Function IN_USD(currency_amount, exchange_rate, exchange_direction, exchange_date, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        IN_USD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IN_USD", Array(currency_amount, exchange_rate, exchange_direction, exchange_date, options), Nothing, Application.Caller))
        Exit Function
    #Else
        IN_USD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IN_USD", Array(currency_amount, exchange_rate, exchange_direction, exchange_date, options)))
        Exit Function
    #End If
failed:
    IN_USD = TS_FAILED(Err.Description)
End Function

Function KV_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    KV_BYTES = TS_FAILED(Err.Description)
End Function

Function KV_BYTES_PER_TOKEN(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_BYTES_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES_PER_TOKEN", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_BYTES_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES_PER_TOKEN", Array(model, options)))
        Exit Function
    #End If
failed:
    KV_BYTES_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function KV_CAPACITY_TOKENS(model, gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_CAPACITY_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CAPACITY_TOKENS", Array(model, gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_CAPACITY_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CAPACITY_TOKENS", Array(model, gpu, gpus, options)))
        Exit Function
    #End If
failed:
    KV_CAPACITY_TOKENS = TS_FAILED(Err.Description)
End Function

Function KV_CROSSOVER_BATCH(model, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_CROSSOVER_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CROSSOVER_BATCH", Array(model, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_CROSSOVER_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CROSSOVER_BATCH", Array(model, context, options)))
        Exit Function
    #End If
failed:
    KV_CROSSOVER_BATCH = TS_FAILED(Err.Description)
End Function

Function KV_FLOPS_PER_TOKEN(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_PER_TOKEN", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_PER_TOKEN", Array(model, options)))
        Exit Function
    #End If
failed:
    KV_FLOPS_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function KV_FLOPS_SAVED(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_FLOPS_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_SAVED", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_FLOPS_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_SAVED", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    KV_FLOPS_SAVED = TS_FAILED(Err.Description)
End Function

Function KV_STORE_TIME(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_STORE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_STORE_TIME", Array(model, gpu, gpus, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KV_STORE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_STORE_TIME", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    KV_STORE_TIME = TS_FAILED(Err.Description)
End Function

Function KWH_PER_MILLION_TOKENS(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KWH_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KWH_PER_MILLION_TOKENS", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        KWH_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KWH_PER_MILLION_TOKENS", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    KWH_PER_MILLION_TOKENS = TS_FAILED(Err.Description)
End Function

Function LARGEST_LOAD(model, gpu, gpus, prompt, output, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LARGEST_LOAD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGEST_LOAD", Array(model, gpu, gpus, prompt, output, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LARGEST_LOAD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGEST_LOAD", Array(model, gpu, gpus, prompt, output, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    LARGEST_LOAD = TS_FAILED(Err.Description)
End Function

Function LARGEST_REPLICA_LOAD(model, gpu, gpus, prompt, output, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LARGEST_REPLICA_LOAD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGEST_REPLICA_LOAD", Array(model, gpu, gpus, prompt, output, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LARGEST_REPLICA_LOAD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGEST_REPLICA_LOAD", Array(model, gpu, gpus, prompt, output, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    LARGEST_REPLICA_LOAD = TS_FAILED(Err.Description)
End Function

Function LARGEST_USERS(model, gpu, gpus, prompt, output, think_time, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LARGEST_USERS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGEST_USERS", Array(model, gpu, gpus, prompt, output, think_time, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LARGEST_USERS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGEST_USERS", Array(model, gpu, gpus, prompt, output, think_time, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    LARGEST_USERS = TS_FAILED(Err.Description)
End Function

Function LARGE_BATCH_LATENCY(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LARGE_BATCH_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGE_BATCH_LATENCY", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LARGE_BATCH_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LARGE_BATCH_LATENCY", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    LARGE_BATCH_LATENCY = TS_FAILED(Err.Description)
End Function

Function LATENCY_OVER_MEASURED(model, gpu, gpus, context, measured_time, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LATENCY_OVER_MEASURED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LATENCY_OVER_MEASURED", Array(model, gpu, gpus, context, measured_time, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LATENCY_OVER_MEASURED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LATENCY_OVER_MEASURED", Array(model, gpu, gpus, context, measured_time, batch, options)))
        Exit Function
    #End If
failed:
    LATENCY_OVER_MEASURED = TS_FAILED(Err.Description)
End Function

Function LENGTH_CV(high_over_mean, Optional high_percentile)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LENGTH_CV = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LENGTH_CV", Array(high_over_mean, high_percentile), Nothing, Application.Caller))
        Exit Function
    #Else
        LENGTH_CV = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LENGTH_CV", Array(high_over_mean, high_percentile)))
        Exit Function
    #End If
failed:
    LENGTH_CV = TS_FAILED(Err.Description)
End Function

Function LOADED_REQUEST_TIME(model, gpu, gpus, prompt, output, request_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LOADED_REQUEST_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOADED_REQUEST_TIME", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LOADED_REQUEST_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOADED_REQUEST_TIME", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options)))
        Exit Function
    #End If
failed:
    LOADED_REQUEST_TIME = TS_FAILED(Err.Description)
End Function

Function LOCAL_MONTHLY_COST(gpu, gpus, replicas, the_currency, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LOCAL_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOCAL_MONTHLY_COST", Array(gpu, gpus, replicas, the_currency, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LOCAL_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOCAL_MONTHLY_COST", Array(gpu, gpus, replicas, the_currency, options)))
        Exit Function
    #End If
failed:
    LOCAL_MONTHLY_COST = TS_FAILED(Err.Description)
End Function

Function LOCAL_NET_PRESENT_COST(gpu, gpus, replicas, plan_years, the_currency, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LOCAL_NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOCAL_NET_PRESENT_COST", Array(gpu, gpus, replicas, plan_years, the_currency, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LOCAL_NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOCAL_NET_PRESENT_COST", Array(gpu, gpus, replicas, plan_years, the_currency, options)))
        Exit Function
    #End If
failed:
    LOCAL_NET_PRESENT_COST = TS_FAILED(Err.Description)
End Function

Function LOGITS_GATHER_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LOGITS_GATHER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOGITS_GATHER_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LOGITS_GATHER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOGITS_GATHER_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    LOGITS_GATHER_TIME = TS_FAILED(Err.Description)
End Function

Function LOGITS_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LOGITS_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOGITS_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LOGITS_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LOGITS_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    LOGITS_TIME = TS_FAILED(Err.Description)
End Function

Function LONGEST_GAP(model, gpu, gpus, prompt, output, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        LONGEST_GAP = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LONGEST_GAP", Array(model, gpu, gpus, prompt, output, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        LONGEST_GAP = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "LONGEST_GAP", Array(model, gpu, gpus, prompt, output, request_rate, options)))
        Exit Function
    #End If
failed:
    LONGEST_GAP = TS_FAILED(Err.Description)
End Function

Function MATMUL_EFFICIENCY(m, the_k, n, gpu, measured_time, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MATMUL_EFFICIENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MATMUL_EFFICIENCY", Array(m, the_k, n, gpu, measured_time, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MATMUL_EFFICIENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MATMUL_EFFICIENCY", Array(m, the_k, n, gpu, measured_time, options)))
        Exit Function
    #End If
failed:
    MATMUL_EFFICIENCY = TS_FAILED(Err.Description)
End Function

Function MATMUL_TIME(m, the_k, n, gpu, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MATMUL_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MATMUL_TIME", Array(m, the_k, n, gpu, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MATMUL_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MATMUL_TIME", Array(m, the_k, n, gpu, options)))
        Exit Function
    #End If
failed:
    MATMUL_TIME = TS_FAILED(Err.Description)
End Function

Function MAX_BATCH(model, gpu, gpus, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MAX_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_BATCH", Array(model, gpu, gpus, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MAX_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_BATCH", Array(model, gpu, gpus, context, options)))
        Exit Function
    #End If
failed:
    MAX_BATCH = TS_FAILED(Err.Description)
End Function

Function MAX_CONTEXT(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MAX_CONTEXT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_CONTEXT", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MAX_CONTEXT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_CONTEXT", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    MAX_CONTEXT = TS_FAILED(Err.Description)
End Function

Function MEAN_REQUEST_RATE(users, think_time, answer_time, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEAN_REQUEST_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEAN_REQUEST_RATE", Array(users, think_time, answer_time, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MEAN_REQUEST_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEAN_REQUEST_RATE", Array(users, think_time, answer_time, options)))
        Exit Function
    #End If
failed:
    MEAN_REQUEST_RATE = TS_FAILED(Err.Description)
End Function

Function MEMORY_BOUND(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEMORY_BOUND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BOUND", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MEMORY_BOUND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BOUND", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    MEMORY_BOUND = TS_FAILED(Err.Description)
End Function

Function MEMORY_BOUND_PREFILL_BATCH(model, gpu, gpus, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEMORY_BOUND_PREFILL_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BOUND_PREFILL_BATCH", Array(model, gpu, gpus, prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MEMORY_BOUND_PREFILL_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BOUND_PREFILL_BATCH", Array(model, gpu, gpus, prompt, options)))
        Exit Function
    #End If
failed:
    MEMORY_BOUND_PREFILL_BATCH = TS_FAILED(Err.Description)
End Function

Function MEMORY_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEMORY_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BYTES", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MEMORY_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    MEMORY_BYTES = TS_FAILED(Err.Description)
End Function

Function MEMORY_PER_DEVICE(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEMORY_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_PER_DEVICE", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MEMORY_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_PER_DEVICE", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    MEMORY_PER_DEVICE = TS_FAILED(Err.Description)
End Function

Function MICRO_BATCH_FOR_RATE(model, gpu, gpus, context, token_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MICRO_BATCH_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MICRO_BATCH_FOR_RATE", Array(model, gpu, gpus, context, token_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MICRO_BATCH_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MICRO_BATCH_FOR_RATE", Array(model, gpu, gpus, context, token_rate, options)))
        Exit Function
    #End If
failed:
    MICRO_BATCH_FOR_RATE = TS_FAILED(Err.Description)
End Function

Function MLP_COMM_INTENSITY(model, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MLP_COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MLP_COMM_INTENSITY", Array(model, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MLP_COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MLP_COMM_INTENSITY", Array(model, gpus, options)))
        Exit Function
    #End If
failed:
    MLP_COMM_INTENSITY = TS_FAILED(Err.Description)
End Function

Function MLP_FLOPS(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MLP_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MLP_FLOPS", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MLP_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MLP_FLOPS", Array(model, options)))
        Exit Function
    #End If
failed:
    MLP_FLOPS = TS_FAILED(Err.Description)
End Function

Function MONTHLY_COST(gpu, gpus, replicas, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MONTHLY_COST", Array(gpu, gpus, replicas, options), Nothing, Application.Caller))
        Exit Function
    #Else
        MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MONTHLY_COST", Array(gpu, gpus, replicas, options)))
        Exit Function
    #End If
failed:
    MONTHLY_COST = TS_FAILED(Err.Description)
End Function

Function NETWORK_DUTY_CYCLE(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NETWORK_DUTY_CYCLE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NETWORK_DUTY_CYCLE", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NETWORK_DUTY_CYCLE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NETWORK_DUTY_CYCLE", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    NETWORK_DUTY_CYCLE = TS_FAILED(Err.Description)
End Function

Function NET_PRESENT_COST(gpu, gpus, replicas, plan_years, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NET_PRESENT_COST", Array(gpu, gpus, replicas, plan_years, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NET_PRESENT_COST", Array(gpu, gpus, replicas, plan_years, options)))
        Exit Function
    #End If
failed:
    NET_PRESENT_COST = TS_FAILED(Err.Description)
End Function

Function NORM_BYTES(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NORM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NORM_BYTES", Array(model, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NORM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NORM_BYTES", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    NORM_BYTES = TS_FAILED(Err.Description)
End Function

Function NO_CACHE_FLOPS(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NO_CACHE_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_FLOPS", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NO_CACHE_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_FLOPS", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    NO_CACHE_FLOPS = TS_FAILED(Err.Description)
End Function

Function NO_CACHE_KV_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NO_CACHE_KV_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_KV_BYTES", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NO_CACHE_KV_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_KV_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    NO_CACHE_KV_BYTES = TS_FAILED(Err.Description)
End Function

Function NO_CACHE_KV_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NO_CACHE_KV_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_KV_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NO_CACHE_KV_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_KV_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    NO_CACHE_KV_TIME = TS_FAILED(Err.Description)
End Function

Function NO_CACHE_OUTPUT_TIME(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NO_CACHE_OUTPUT_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_OUTPUT_TIME", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NO_CACHE_OUTPUT_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_OUTPUT_TIME", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    NO_CACHE_OUTPUT_TIME = TS_FAILED(Err.Description)
End Function

Function NO_CACHE_STAGE_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        NO_CACHE_STAGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_STAGE_TIME", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        NO_CACHE_STAGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "NO_CACHE_STAGE_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    NO_CACHE_STAGE_TIME = TS_FAILED(Err.Description)
End Function

Function OFFER_MONTHLY_COST(gpu, gpus, replicas, offer, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        OFFER_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "OFFER_MONTHLY_COST", Array(gpu, gpus, replicas, offer, options), Nothing, Application.Caller))
        Exit Function
    #Else
        OFFER_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "OFFER_MONTHLY_COST", Array(gpu, gpus, replicas, offer, options)))
        Exit Function
    #End If
failed:
    OFFER_MONTHLY_COST = TS_FAILED(Err.Description)
End Function

Function OFFER_NET_PRESENT_COST(gpu, gpus, replicas, offer, plan_years, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        OFFER_NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "OFFER_NET_PRESENT_COST", Array(gpu, gpus, replicas, offer, plan_years, options), Nothing, Application.Caller))
        Exit Function
    #Else
        OFFER_NET_PRESENT_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "OFFER_NET_PRESENT_COST", Array(gpu, gpus, replicas, offer, plan_years, options)))
        Exit Function
    #End If
failed:
    OFFER_NET_PRESENT_COST = TS_FAILED(Err.Description)
End Function

Function OFFLOADED_DECODE_LATENCY(model, gpu, gpus, context, offload_share, host_link, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        OFFLOADED_DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "OFFLOADED_DECODE_LATENCY", Array(model, gpu, gpus, context, offload_share, host_link, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        OFFLOADED_DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "OFFLOADED_DECODE_LATENCY", Array(model, gpu, gpus, context, offload_share, host_link, batch, options)))
        Exit Function
    #End If
failed:
    OFFLOADED_DECODE_LATENCY = TS_FAILED(Err.Description)
End Function

Function PEAK_REQUEST_RATE(users, think_time, answer_time, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PEAK_REQUEST_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PEAK_REQUEST_RATE", Array(users, think_time, answer_time, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PEAK_REQUEST_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PEAK_REQUEST_RATE", Array(users, think_time, answer_time, options)))
        Exit Function
    #End If
failed:
    PEAK_REQUEST_RATE = TS_FAILED(Err.Description)
End Function

Function POOL_MONTHLY_COST(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        POOL_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "POOL_MONTHLY_COST", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        POOL_MONTHLY_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "POOL_MONTHLY_COST", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options)))
        Exit Function
    #End If
failed:
    POOL_MONTHLY_COST = TS_FAILED(Err.Description)
End Function

Function POOL_NODES(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        POOL_NODES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "POOL_NODES", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        POOL_NODES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "POOL_NODES", Array(model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, options)))
        Exit Function
    #End If
failed:
    POOL_NODES = TS_FAILED(Err.Description)
End Function

Function POWER_FOR_RATE(model, gpu, gpus, wanted_tokens_per_second, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        POWER_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "POWER_FOR_RATE", Array(model, gpu, gpus, wanted_tokens_per_second, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        POWER_FOR_RATE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "POWER_FOR_RATE", Array(model, gpu, gpus, wanted_tokens_per_second, context, batch, options)))
        Exit Function
    #End If
failed:
    POWER_FOR_RATE = TS_FAILED(Err.Description)
End Function

Function PP_COMM_BYTES(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PP_COMM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_BYTES", Array(model, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PP_COMM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_BYTES", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    PP_COMM_BYTES = TS_FAILED(Err.Description)
End Function

Function PP_COMM_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    PP_COMM_TIME = TS_FAILED(Err.Description)
End Function

Function PREFILL_ATTENTION_FLOPS(model, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_ATTENTION_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_ATTENTION_FLOPS", Array(model, prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_ATTENTION_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_ATTENTION_FLOPS", Array(model, prompt, options)))
        Exit Function
    #End If
failed:
    PREFILL_ATTENTION_FLOPS = TS_FAILED(Err.Description)
End Function

Function PREFILL_COMPUTE_TIME(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_COMPUTE_TIME", Array(model, gpu, gpus, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_COMPUTE_TIME", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_COMPUTE_TIME = TS_FAILED(Err.Description)
End Function

Function PREFILL_DECODE_RATIO(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_DECODE_RATIO = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_DECODE_RATIO", Array(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_DECODE_RATIO = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_DECODE_RATIO", Array(model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, output, options)))
        Exit Function
    #End If
failed:
    PREFILL_DECODE_RATIO = TS_FAILED(Err.Description)
End Function

Function PREFILL_LATENCY(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY", Array(model, gpu, gpus, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_LATENCY = TS_FAILED(Err.Description)
End Function

Function PREFILL_LATENCY_HIGH(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_LATENCY_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY_HIGH", Array(model, gpu, gpus, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_LATENCY_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY_HIGH", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_LATENCY_HIGH = TS_FAILED(Err.Description)
End Function

Function PREFILL_LATENCY_LOW(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_LATENCY_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY_LOW", Array(model, gpu, gpus, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_LATENCY_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY_LOW", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_LATENCY_LOW = TS_FAILED(Err.Description)
End Function

Function PREFILL_REPLICAS_NEEDED(model, prefill_gpu, prefill_gpus, prompt, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_REPLICAS_NEEDED", Array(model, prefill_gpu, prefill_gpus, prompt, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_REPLICAS_NEEDED", Array(model, prefill_gpu, prefill_gpus, prompt, request_rate, options)))
        Exit Function
    #End If
failed:
    PREFILL_REPLICAS_NEEDED = TS_FAILED(Err.Description)
End Function

Function PREFILL_REPLICA_CAPACITY(model, prefill_gpu, prefill_gpus, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_REPLICA_CAPACITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_REPLICA_CAPACITY", Array(model, prefill_gpu, prefill_gpus, prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_REPLICA_CAPACITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_REPLICA_CAPACITY", Array(model, prefill_gpu, prefill_gpus, prompt, options)))
        Exit Function
    #End If
failed:
    PREFILL_REPLICA_CAPACITY = TS_FAILED(Err.Description)
End Function

Function PREFILL_RIDGE_TIME(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_RIDGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_RIDGE_TIME", Array(model, gpu, gpus, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFILL_RIDGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_RIDGE_TIME", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_RIDGE_TIME = TS_FAILED(Err.Description)
End Function

Function PREFIX_CACHING_GAIN(model, gpu, gpus, prompt, output, shared_prefix, prefix_hit_share, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFIX_CACHING_GAIN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFIX_CACHING_GAIN", Array(model, gpu, gpus, prompt, output, shared_prefix, prefix_hit_share, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PREFIX_CACHING_GAIN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFIX_CACHING_GAIN", Array(model, gpu, gpus, prompt, output, shared_prefix, prefix_hit_share, options)))
        Exit Function
    #End If
failed:
    PREFIX_CACHING_GAIN = TS_FAILED(Err.Description)
End Function

Function PROJECTION_COMM_INTENSITY(model, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PROJECTION_COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PROJECTION_COMM_INTENSITY", Array(model, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PROJECTION_COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PROJECTION_COMM_INTENSITY", Array(model, gpus, options)))
        Exit Function
    #End If
failed:
    PROJECTION_COMM_INTENSITY = TS_FAILED(Err.Description)
End Function

Function PROJECTION_FLOPS(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PROJECTION_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PROJECTION_FLOPS", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PROJECTION_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PROJECTION_FLOPS", Array(model, options)))
        Exit Function
    #End If
failed:
    PROJECTION_FLOPS = TS_FAILED(Err.Description)
End Function

Function PROMPT_TIME_SHARE(model, gpu, gpus, prompt, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PROMPT_TIME_SHARE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PROMPT_TIME_SHARE", Array(model, gpu, gpus, prompt, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        PROMPT_TIME_SHARE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PROMPT_TIME_SHARE", Array(model, gpu, gpus, prompt, request_rate, options)))
        Exit Function
    #End If
failed:
    PROMPT_TIME_SHARE = TS_FAILED(Err.Description)
End Function

Function QKV_COMM_INTENSITY(model, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        QKV_COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QKV_COMM_INTENSITY", Array(model, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        QKV_COMM_INTENSITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QKV_COMM_INTENSITY", Array(model, gpus, options)))
        Exit Function
    #End If
failed:
    QKV_COMM_INTENSITY = TS_FAILED(Err.Description)
End Function

Function QKV_FLOPS(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        QKV_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QKV_FLOPS", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        QKV_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QKV_FLOPS", Array(model, options)))
        Exit Function
    #End If
failed:
    QKV_FLOPS = TS_FAILED(Err.Description)
End Function

Function QKV_TIME(model, gpu, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        QKV_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QKV_TIME", Array(model, gpu, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        QKV_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QKV_TIME", Array(model, gpu, prompt, batch, options)))
        Exit Function
    #End If
failed:
    QKV_TIME = TS_FAILED(Err.Description)
End Function

Function QK_TIME(model, gpu, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        QK_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QK_TIME", Array(model, gpu, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        QK_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QK_TIME", Array(model, gpu, prompt, batch, options)))
        Exit Function
    #End If
failed:
    QK_TIME = TS_FAILED(Err.Description)
End Function

Function QUEUE_TIME(servers, arrival_rate, service_time, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        QUEUE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QUEUE_TIME", Array(servers, arrival_rate, service_time, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        QUEUE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QUEUE_TIME", Array(servers, arrival_rate, service_time, percentile, options)))
        Exit Function
    #End If
failed:
    QUEUE_TIME = TS_FAILED(Err.Description)
End Function

Function QUEUE_WAIT(servers, arrival_rate, service_time, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        QUEUE_WAIT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QUEUE_WAIT", Array(servers, arrival_rate, service_time, options), Nothing, Application.Caller))
        Exit Function
    #Else
        QUEUE_WAIT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "QUEUE_WAIT", Array(servers, arrival_rate, service_time, options)))
        Exit Function
    #End If
failed:
    QUEUE_WAIT = TS_FAILED(Err.Description)
End Function

Function RECOMPUTE_CONTEXT(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        RECOMPUTE_CONTEXT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "RECOMPUTE_CONTEXT", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        RECOMPUTE_CONTEXT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "RECOMPUTE_CONTEXT", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    RECOMPUTE_CONTEXT = TS_FAILED(Err.Description)
End Function

Function REDUCED_SHARDS_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REDUCED_SHARDS_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REDUCED_SHARDS_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REDUCED_SHARDS_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REDUCED_SHARDS_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    REDUCED_SHARDS_TIME = TS_FAILED(Err.Description)
End Function

Function REPLICAS_NEEDED(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REPLICAS_NEEDED", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REPLICAS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REPLICAS_NEEDED", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    REPLICAS_NEEDED = TS_FAILED(Err.Description)
End Function

Function REPLICA_CAPACITY(model, gpu, gpus, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REPLICA_CAPACITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REPLICA_CAPACITY", Array(model, gpu, gpus, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REPLICA_CAPACITY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REPLICA_CAPACITY", Array(model, gpu, gpus, prompt, output, options)))
        Exit Function
    #End If
failed:
    REPLICA_CAPACITY = TS_FAILED(Err.Description)
End Function

Function REPLICA_UTILIZATION(model, gpu, gpus, prompt, output, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REPLICA_UTILIZATION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REPLICA_UTILIZATION", Array(model, gpu, gpus, prompt, output, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REPLICA_UTILIZATION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REPLICA_UTILIZATION", Array(model, gpu, gpus, prompt, output, request_rate, options)))
        Exit Function
    #End If
failed:
    REPLICA_UTILIZATION = TS_FAILED(Err.Description)
End Function

Function REQUESTS_HELD(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUESTS_HELD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUESTS_HELD", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REQUESTS_HELD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUESTS_HELD", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    REQUESTS_HELD = TS_FAILED(Err.Description)
End Function

Function REQUESTS_IN_FLIGHT(model, gpu, gpus, prompt, output, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUESTS_IN_FLIGHT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUESTS_IN_FLIGHT", Array(model, gpu, gpus, prompt, output, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REQUESTS_IN_FLIGHT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUESTS_IN_FLIGHT", Array(model, gpu, gpus, prompt, output, request_rate, options)))
        Exit Function
    #End If
failed:
    REQUESTS_IN_FLIGHT = TS_FAILED(Err.Description)
End Function

Function REQUEST_COST(model, gpu, gpus, cost_per_hour, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUEST_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_COST", Array(model, gpu, gpus, cost_per_hour, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REQUEST_COST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_COST", Array(model, gpu, gpus, cost_per_hour, prompt, output, options)))
        Exit Function
    #End If
failed:
    REQUEST_COST = TS_FAILED(Err.Description)
End Function

Function REQUEST_LATENCY(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUEST_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REQUEST_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    REQUEST_LATENCY = TS_FAILED(Err.Description)
End Function

Function REQUEST_LATENCY_HIGH(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUEST_LATENCY_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY_HIGH", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REQUEST_LATENCY_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY_HIGH", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    REQUEST_LATENCY_HIGH = TS_FAILED(Err.Description)
End Function

Function REQUEST_LATENCY_LOW(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUEST_LATENCY_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY_LOW", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        REQUEST_LATENCY_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY_LOW", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    REQUEST_LATENCY_LOW = TS_FAILED(Err.Description)
End Function

Function RIDGE_BATCH(gpu, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        RIDGE_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "RIDGE_BATCH", Array(gpu, options), Nothing, Application.Caller))
        Exit Function
    #Else
        RIDGE_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "RIDGE_BATCH", Array(gpu, options)))
        Exit Function
    #End If
failed:
    RIDGE_BATCH = TS_FAILED(Err.Description)
End Function

Function SAMPLING_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SAMPLING_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SAMPLING_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SAMPLING_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SAMPLING_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    SAMPLING_TIME = TS_FAILED(Err.Description)
End Function

Function SAVED_BY_BUYING(gpu, gpus, replicas, offer, plan_years, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SAVED_BY_BUYING = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SAVED_BY_BUYING", Array(gpu, gpus, replicas, offer, plan_years, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SAVED_BY_BUYING = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SAVED_BY_BUYING", Array(gpu, gpus, replicas, offer, plan_years, options)))
        Exit Function
    #End If
failed:
    SAVED_BY_BUYING = TS_FAILED(Err.Description)
End Function

Function SCORE_FLOPS(model, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SCORE_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SCORE_FLOPS", Array(model, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SCORE_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SCORE_FLOPS", Array(model, context, options)))
        Exit Function
    #End If
failed:
    SCORE_FLOPS = TS_FAILED(Err.Description)
End Function

Function SERVED_BATCH(model, gpu, gpus, prompt, output, request_rate, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SERVED_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_BATCH", Array(model, gpu, gpus, prompt, output, request_rate, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SERVED_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_BATCH", Array(model, gpu, gpus, prompt, output, request_rate, options)))
        Exit Function
    #End If
failed:
    SERVED_BATCH = TS_FAILED(Err.Description)
End Function

Function SERVED_TPOT(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SERVED_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_TPOT", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SERVED_TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_TPOT", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    SERVED_TPOT = TS_FAILED(Err.Description)
End Function

Function SERVED_TPOT_HIGH(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SERVED_TPOT_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_TPOT_HIGH", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SERVED_TPOT_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_TPOT_HIGH", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    SERVED_TPOT_HIGH = TS_FAILED(Err.Description)
End Function

Function SERVED_TPOT_LOW(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SERVED_TPOT_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_TPOT_LOW", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SERVED_TPOT_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SERVED_TPOT_LOW", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    SERVED_TPOT_LOW = TS_FAILED(Err.Description)
End Function

Function SHARDED_NORM_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SHARDED_NORM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SHARDED_NORM_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SHARDED_NORM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SHARDED_NORM_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    SHARDED_NORM_TIME = TS_FAILED(Err.Description)
End Function

Function SMALL_BATCH_LATENCY(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SMALL_BATCH_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SMALL_BATCH_LATENCY", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SMALL_BATCH_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SMALL_BATCH_LATENCY", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    SMALL_BATCH_LATENCY = TS_FAILED(Err.Description)
End Function

Function SOFTMAX_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SOFTMAX_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SOFTMAX_BYTES", Array(model, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SOFTMAX_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SOFTMAX_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    SOFTMAX_BYTES = TS_FAILED(Err.Description)
End Function

Function SOFTMAX_TIME(model, gpu, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SOFTMAX_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SOFTMAX_TIME", Array(model, gpu, prompt, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SOFTMAX_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SOFTMAX_TIME", Array(model, gpu, prompt, batch, options)))
        Exit Function
    #End If
failed:
    SOFTMAX_TIME = TS_FAILED(Err.Description)
End Function

Function SOLD_TOKENS_PER_DOLLAR(model, gpu, gpus, cost_per_hour, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SOLD_TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SOLD_TOKENS_PER_DOLLAR", Array(model, gpu, gpus, cost_per_hour, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SOLD_TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SOLD_TOKENS_PER_DOLLAR", Array(model, gpu, gpus, cost_per_hour, context, batch, options)))
        Exit Function
    #End If
failed:
    SOLD_TOKENS_PER_DOLLAR = TS_FAILED(Err.Description)
End Function

Function SORT_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SORT_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SORT_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SORT_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SORT_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    SORT_TIME = TS_FAILED(Err.Description)
End Function

Function SPLIT_DECODE_LATENCY(model, gpu, gpus, instances, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SPLIT_DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_DECODE_LATENCY", Array(model, gpu, gpus, instances, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SPLIT_DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_DECODE_LATENCY", Array(model, gpu, gpus, instances, context, batch, options)))
        Exit Function
    #End If
failed:
    SPLIT_DECODE_LATENCY = TS_FAILED(Err.Description)
End Function

Function SPLIT_KV_CAPACITY_TOKENS(model, gpu, gpus, instances, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SPLIT_KV_CAPACITY_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_KV_CAPACITY_TOKENS", Array(model, gpu, gpus, instances, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SPLIT_KV_CAPACITY_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_KV_CAPACITY_TOKENS", Array(model, gpu, gpus, instances, options)))
        Exit Function
    #End If
failed:
    SPLIT_KV_CAPACITY_TOKENS = TS_FAILED(Err.Description)
End Function

Function SPLIT_MAX_BATCH(model, gpu, gpus, instances, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SPLIT_MAX_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_MAX_BATCH", Array(model, gpu, gpus, instances, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SPLIT_MAX_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_MAX_BATCH", Array(model, gpu, gpus, instances, context, options)))
        Exit Function
    #End If
failed:
    SPLIT_MAX_BATCH = TS_FAILED(Err.Description)
End Function

Function SPLIT_TOKENS_PER_SECOND(model, gpu, gpus, instances, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        SPLIT_TOKENS_PER_SECOND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_TOKENS_PER_SECOND", Array(model, gpu, gpus, instances, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        SPLIT_TOKENS_PER_SECOND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "SPLIT_TOKENS_PER_SECOND", Array(model, gpu, gpus, instances, context, batch, options)))
        Exit Function
    #End If
failed:
    SPLIT_TOKENS_PER_SECOND = TS_FAILED(Err.Description)
End Function

Function TARGETS_HOLD(model, gpu, gpus, prompt, output, request_rate, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TARGETS_HOLD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TARGETS_HOLD", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TARGETS_HOLD = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TARGETS_HOLD", Array(model, gpu, gpus, prompt, output, request_rate, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    TARGETS_HOLD = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_DOLLAR(model, gpu, gpus, cost_per_hour, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR", Array(model, gpu, gpus, cost_per_hour, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR", Array(model, gpu, gpus, cost_per_hour, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_DOLLAR = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_DOLLAR_HIGH(model, gpu, gpus, cost_per_hour, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_DOLLAR_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR_HIGH", Array(model, gpu, gpus, cost_per_hour, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_DOLLAR_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR_HIGH", Array(model, gpu, gpus, cost_per_hour, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_DOLLAR_HIGH = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_DOLLAR_LOW(model, gpu, gpus, cost_per_hour, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_DOLLAR_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR_LOW", Array(model, gpu, gpus, cost_per_hour, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_DOLLAR_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR_LOW", Array(model, gpu, gpus, cost_per_hour, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_DOLLAR_LOW = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND_HIGH(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_HIGH", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_HIGH", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND_HIGH = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND_LOW(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_LOW", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_LOW", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND_LOW = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND_PER_USER(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND_PER_USER = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND_PER_USER = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND_PER_USER = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND_PER_USER_HIGH(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND_PER_USER_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER_HIGH", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND_PER_USER_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER_HIGH", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND_PER_USER_HIGH = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND_PER_USER_LOW(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND_PER_USER_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER_LOW", Array(model, gpu, gpus, context, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND_PER_USER_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER_LOW", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND_PER_USER_LOW = TS_FAILED(Err.Description)
End Function

Function TPOT(model, gpu, gpus, prompt, output, request_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TPOT", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TPOT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TPOT", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options)))
        Exit Function
    #End If
failed:
    TPOT = TS_FAILED(Err.Description)
End Function

Function TP_COMM_BYTES(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_BYTES", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TP_COMM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_BYTES", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_BYTES = TS_FAILED(Err.Description)
End Function

Function TP_COMM_LATENCY_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_LATENCY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_LATENCY_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TP_COMM_LATENCY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_LATENCY_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_LATENCY_TIME = TS_FAILED(Err.Description)
End Function

Function TP_COMM_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_TIME = TS_FAILED(Err.Description)
End Function

Function TP_COMM_TRANSFER_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_TRANSFER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TRANSFER_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TP_COMM_TRANSFER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TRANSFER_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_TRANSFER_TIME = TS_FAILED(Err.Description)
End Function

Function TP_MESSAGES(model, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_MESSAGES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_MESSAGES", Array(model, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TP_MESSAGES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_MESSAGES", Array(model, gpus, options)))
        Exit Function
    #End If
failed:
    TP_MESSAGES = TS_FAILED(Err.Description)
End Function

Function TS_LIST(kind)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_LIST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_LIST", Array(kind), Nothing, Application.Caller))
        Exit Function
    #Else
        TS_LIST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_LIST", Array(kind)))
        Exit Function
    #End If
failed:
    TS_LIST = TS_FAILED(Err.Description)
End Function

Function TS_OPTIONS(the_name, ParamArray value())
    Dim argsArray() As Variant
    argsArray = Array(the_name)
    ReDim Preserve argsArray(0 to UBound(value) - LBound(value) + 1)
    For k = LBound(value) To UBound(value)
    argsArray(1 + k - LBound(value)) = value(k)
    Next k
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_OPTIONS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_OPTIONS", argsArray, Nothing, Application.Caller))
        Exit Function
    #Else
        TS_OPTIONS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_OPTIONS", argsArray))
        Exit Function
    #End If
failed:
    TS_OPTIONS = TS_FAILED(Err.Description)
End Function

Function TS_SPEC(id, field, Optional what)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_SPEC = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_SPEC", Array(id, field, what), Nothing, Application.Caller))
        Exit Function
    #Else
        TS_SPEC = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_SPEC", Array(id, field, what)))
        Exit Function
    #End If
failed:
    TS_SPEC = TS_FAILED(Err.Description)
End Function

Function TS_VERSION()
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_VERSION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_VERSION", Array(), Nothing, Application.Caller))
        Exit Function
    #Else
        TS_VERSION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_VERSION", Array()))
        Exit Function
    #End If
failed:
    TS_VERSION = TS_FAILED(Err.Description)
End Function

Function TTFT(model, gpu, gpus, prompt, output, request_rate, Optional percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TTFT", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        TTFT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TTFT", Array(model, gpu, gpus, prompt, output, request_rate, percentile, options)))
        Exit Function
    #End If
failed:
    TTFT = TS_FAILED(Err.Description)
End Function

Function UNEMBEDDING_BY_WIDTH_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        UNEMBEDDING_BY_WIDTH_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "UNEMBEDDING_BY_WIDTH_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        UNEMBEDDING_BY_WIDTH_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "UNEMBEDDING_BY_WIDTH_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    UNEMBEDDING_BY_WIDTH_TIME = TS_FAILED(Err.Description)
End Function

Function UNEMBEDDING_FLOPS(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        UNEMBEDDING_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "UNEMBEDDING_FLOPS", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        UNEMBEDDING_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "UNEMBEDDING_FLOPS", Array(model, options)))
        Exit Function
    #End If
failed:
    UNEMBEDDING_FLOPS = TS_FAILED(Err.Description)
End Function

Function UNEMBEDDING_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        UNEMBEDDING_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "UNEMBEDDING_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        UNEMBEDDING_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "UNEMBEDDING_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    UNEMBEDDING_TIME = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_CACHED(model, gpu, gpus, cost_per_hour, prompt, shared_prefix, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_CACHED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_CACHED", Array(model, gpu, gpus, cost_per_hour, prompt, shared_prefix, options), Nothing, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_CACHED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_CACHED", Array(model, gpu, gpus, cost_per_hour, prompt, shared_prefix, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_CACHED = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_INPUT(model, gpu, gpus, cost_per_hour, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_INPUT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_INPUT", Array(model, gpu, gpus, cost_per_hour, prompt, options), Nothing, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_INPUT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_INPUT", Array(model, gpu, gpus, cost_per_hour, prompt, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_INPUT = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_OUTPUT(model, gpu, gpus, cost_per_hour, prompt, output, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_OUTPUT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_OUTPUT", Array(model, gpu, gpus, cost_per_hour, prompt, output, options), Nothing, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_OUTPUT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_OUTPUT", Array(model, gpu, gpus, cost_per_hour, prompt, output, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_OUTPUT = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_TOKENS(model, gpu, gpus, cost_per_hour, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_TOKENS = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_TOKENS_HIGH(model, gpu, gpus, cost_per_hour, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_TOKENS_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS_HIGH", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_TOKENS_HIGH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS_HIGH", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_TOKENS_HIGH = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_TOKENS_LOW(model, gpu, gpus, cost_per_hour, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_TOKENS_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS_LOW", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_TOKENS_LOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS_LOW", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_TOKENS_LOW = TS_FAILED(Err.Description)
End Function

Function WAVES(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WAVES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WAVES", Array(model, gpu, gpus, prompt, output, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        WAVES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WAVES", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    WAVES = TS_FAILED(Err.Description)
End Function

Function WEIGHTED_SUM_FLOPS(model, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WEIGHTED_SUM_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WEIGHTED_SUM_FLOPS", Array(model, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        WEIGHTED_SUM_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WEIGHTED_SUM_FLOPS", Array(model, context, options)))
        Exit Function
    #End If
failed:
    WEIGHTED_SUM_FLOPS = TS_FAILED(Err.Description)
End Function

Function WEIGHT_BYTES(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WEIGHT_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WEIGHT_BYTES", Array(model, options), Nothing, Application.Caller))
        Exit Function
    #Else
        WEIGHT_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WEIGHT_BYTES", Array(model, options)))
        Exit Function
    #End If
failed:
    WEIGHT_BYTES = TS_FAILED(Err.Description)
End Function

Function WHOLE_SHARDS_BATCH(model, gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WHOLE_SHARDS_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHOLE_SHARDS_BATCH", Array(model, gpu, gpus, options), Nothing, Application.Caller))
        Exit Function
    #Else
        WHOLE_SHARDS_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHOLE_SHARDS_BATCH", Array(model, gpu, gpus, options)))
        Exit Function
    #End If
failed:
    WHOLE_SHARDS_BATCH = TS_FAILED(Err.Description)
End Function

Function WHOLE_SHARDS_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WHOLE_SHARDS_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHOLE_SHARDS_TIME", Array(model, gpu, gpus, batch, options), Nothing, Application.Caller))
        Exit Function
    #Else
        WHOLE_SHARDS_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHOLE_SHARDS_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    WHOLE_SHARDS_TIME = TS_FAILED(Err.Description)
End Function

Function WHY(the_function, ParamArray arguments())
    If TS_ASKED(the_function, UBound(arguments)) Then WHY = TS_REASON(the_function): Exit Function
    Dim argsArray() As Variant
    argsArray = Array(the_function)
    ReDim Preserve argsArray(0 to UBound(arguments) - LBound(arguments) + 1)
    For k = LBound(arguments) To UBound(arguments)
    argsArray(1 + k - LBound(arguments)) = arguments(k)
    Next k
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WHY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHY", argsArray, Nothing, Application.Caller))
        Exit Function
    #Else
        WHY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHY", argsArray))
        Exit Function
    #End If
failed:
    WHY = TS_FAILED(Err.Description)
End Function

Function WORTHWHILE_BATCH(model, gpu, gpus, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WORTHWHILE_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WORTHWHILE_BATCH", Array(model, gpu, gpus, context, options), Nothing, Application.Caller))
        Exit Function
    #Else
        WORTHWHILE_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WORTHWHILE_BATCH", Array(model, gpu, gpus, context, options)))
        Exit Function
    #End If
failed:
    WORTHWHILE_BATCH = TS_FAILED(Err.Description)
End Function

Function YEAR_CASH_FLOW(model, gpu, gpus, prompt, output, request_rate, plan_year, plan_years, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        YEAR_CASH_FLOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "YEAR_CASH_FLOW", Array(model, gpu, gpus, prompt, output, request_rate, plan_year, plan_years, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        YEAR_CASH_FLOW = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "YEAR_CASH_FLOW", Array(model, gpu, gpus, prompt, output, request_rate, plan_year, plan_years, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    YEAR_CASH_FLOW = TS_FAILED(Err.Description)
End Function

Function YEAR_PRESENT_VALUE(model, gpu, gpus, prompt, output, request_rate, plan_year, plan_years, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        YEAR_PRESENT_VALUE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "YEAR_PRESENT_VALUE", Array(model, gpu, gpus, prompt, output, request_rate, plan_year, plan_years, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        YEAR_PRESENT_VALUE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "YEAR_PRESENT_VALUE", Array(model, gpu, gpus, prompt, output, request_rate, plan_year, plan_years, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    YEAR_PRESENT_VALUE = TS_FAILED(Err.Description)
End Function

Function YEAR_REPLICAS(model, gpu, gpus, prompt, output, request_rate, plan_year, Optional target_ttft, Optional target_tpot, Optional target_percentile, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        YEAR_REPLICAS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "YEAR_REPLICAS", Array(model, gpu, gpus, prompt, output, request_rate, plan_year, target_ttft, target_tpot, target_percentile, options), Nothing, Application.Caller))
        Exit Function
    #Else
        YEAR_REPLICAS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "YEAR_REPLICAS", Array(model, gpu, gpus, prompt, output, request_rate, plan_year, target_ttft, target_tpot, target_percentile, options)))
        Exit Function
    #End If
failed:
    YEAR_REPLICAS = TS_FAILED(Err.Description)
End Function

